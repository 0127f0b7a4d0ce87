// Reads audio files with a program that shares no code with ours.

import Foundation

public enum FFmpeg {
  /// Returns all samples of files, by channel, in each file's order but for Vorbis: see
  /// `vorbisOrder`.
  ///
  /// - Parameter channelCount: channels of each file.
  /// - Throws: `RigError.endedEarly` if ffmpeg cannot read one of the files.
  public static func read(_ urls: [URL], channelCount: Int) async throws -> [[[Double]]] {
    guard let program = installedProgram("ffmpeg") else { throw RigError.programMissing("ffmpeg") }
    let raw = urls.map { $0.appendingPathExtension("f64") }
    defer { for url in raw { try? FileManager.default.removeItem(at: url) } }
    let inputs = urls.flatMap { ["-i", $0.path] }
    let outputs = raw.enumerated().flatMap { ["-map", "\($0)", "-f", "f64le", $1.path] }
    let child = try ChildProcess(program, ["-v", "error", "-y"] + inputs + outputs)
    let status = try await child.wait()
    // For a file cut off within a packet ffmpeg prints an error, and writes the samples before it.
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

  /// Channels of an eight-channel Vorbis file, in the order of ffmpeg's output: it sorts them by
  /// WAV's order of loudspeakers.
  public static let vorbisOrder = [0, 2, 1, 7, 5, 6, 3, 4]
}
