// Bounces for tests: files in a temporary folder, and the command on them.

import Foundation
import MediaFiles
import TestSupport
import Testing

/// A folder with a configuration, by default of a filter, in which the command bounces.
struct BounceRig {
  let folder: TemporaryDirectory

  init(_ configuration: String = Configurations.filter()) throws {
    folder = try TemporaryDirectory()
    _ = try folder.write(configuration, to: "session.toml")
  }

  /// The files in the folder, hidden ones included.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  /// The temporary files of bounces in the folder.
  var parts: [String] { get throws { try names.filter { $0.hasPrefix(".auricle-") } } }

  /// Writes noise to a file.
  @discardableResult
  func noise(_ name: String = "in.wav", frames: Int = 20_000, channels: Int = 2) throws -> URL {
    let writer = try AudioFileWriter(
      url: folder.file(name), sampleRate: 48000, channelCount: channels)
    try writer.write((0..<channels).map { Signal.noise(frames: frames, seed: UInt64($0)) })
    try writer.finish()
    return folder.file(name)
  }

  /// Writes a song of one note.
  @discardableResult
  func song(_ name: String = "song.mid", endTick: Int = 0) throws -> URL {
    var file = MIDIFileMaker.frameExact(sampleRate: 48000)
    file.addNote(60, at: 100, length: 4000)
    return try folder.write(file.bytes(endTick: endTick), to: name)
  }

  /// Starts `auricle bounce session.toml ARGUMENTS` in the folder.
  func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(
      builtProduct("auricle"), ["bounce", "session.toml"] + arguments,
      workingDirectory: folder.url)
  }

  /// Runs the same command to its end.
  func run(
    _ arguments: String...
  ) async throws -> (status: ChildProcess.ExitStatus, child: ChildProcess) {
    let child = try ChildProcess(
      builtProduct("auricle"), ["bounce", "session.toml"] + arguments,
      workingDirectory: folder.url)
    return (try await child.wait(), child)
  }

  func read(_ name: String) throws -> [[Float]] {
    try AudioFileReader(contentsOf: folder.file(name)).read()
  }
}
