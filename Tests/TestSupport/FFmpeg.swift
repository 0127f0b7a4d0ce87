// Audio files as a program reads them that shares nothing with ours.

import Foundation

public enum FFmpeg {
  /// All samples of some files, by channel, in each file's order but for Vorbis: see `vorbisOrder`.
  ///
  /// - Parameter channelCount: what each file is to have.
  /// - Throws: `RigError.endedEarly` if it does not read one of them.
  public static func read(_ urls: [URL], channelCount: Int) async throws -> [[[Double]]] {
    guard let program = installedProgram("ffmpeg") else { throw RigError.programMissing("ffmpeg") }
    let raw = urls.map { $0.appendingPathExtension("f64") }
    defer { for url in raw { try? FileManager.default.removeItem(at: url) } }
    let inputs = urls.flatMap { ["-i", $0.path] }
    let outputs = raw.enumerated().flatMap { ["-map", "\($0)", "-f", "f64le", $1.path] }
    let child = try ChildProcess(program, ["-v", "error", "-y"] + inputs + outputs)
    let status = try await child.wait()
    // What breaks off within a packet is told, and read as far as it goes.
    guard status == .exited(0) else {
      throw RigError.endedEarly(
        waitingFor: "its samples", status: status, output: child.transcript)
    }
    return try raw.map { samples(of: try Data(contentsOf: $0), channelCount: channelCount) }
  }

  private static func samples(of bytes: Data, channelCount: Int) -> [[Double]] {
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
