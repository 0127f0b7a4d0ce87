// Audio files as a program reads them that shares nothing with ours.

import Foundation

public enum FFmpeg {
  /// All samples of a file, by channel, in the file's order but for Vorbis: see `vorbisOrder`.
  ///
  /// - Parameter channelCount: what the file is to have.
  public static func read(_ url: URL, channelCount: Int) async throws -> [[Double]] {
    guard let program = installedProgram("ffmpeg") else { throw RigError.programMissing("ffmpeg") }
    let raw = url.appendingPathExtension("f64")
    defer { try? FileManager.default.removeItem(at: raw) }
    let child = try ChildProcess(
      program, ["-v", "error", "-y", "-i", url.path, "-f", "f64le", raw.path])
    let status = try await child.wait()
    // What breaks off within a packet is told, and read as far as it goes.
    guard status == .exited(0), let bytes = try? Data(contentsOf: raw) else {
      throw RigError.endedEarly(
        waitingFor: "its samples", status: status, output: child.transcript)
    }
    let frames = bytes.count / (8 * channelCount)
    return bytes.withUnsafeBytes { bytes in
      let samples = bytes.bindMemory(to: Double.self)
      return (0..<channelCount).map { channel in
        (0..<frames).map { samples[$0 * channelCount + channel] }
      }
    }
  }

  /// Which channel of a Vorbis file of eight is the first that ffmpeg gives, and so on: it sorts
  /// them as WAV has its loudspeakers.
  public static let vorbisOrder = [0, 2, 1, 7, 5, 6, 3, 4]
}
