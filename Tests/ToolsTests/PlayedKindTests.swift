// Detection of a file's kind, which takes nothing from a pipe.

import Files
import Foundation
import MediaFiles
import TestSupport
import Testing

@testable import Tools

@Suite struct PlayedKindTests {
  private let folder: TemporaryDirectory
  /// A pipe without a writer.
  private let pipe: URL

  init() throws {
    folder = try TemporaryDirectory()
    pipe = try folder.makePipe()
  }

  @Test(.timeLimit(.minutes(1))) func aPipeThatNobodyWritesToIsToldByItsName() {
    #expect(PlayedKind(pipe) == .soundFont)
  }

  /// The content of a pipe is left to the player.
  @Test(.timeLimit(.minutes(1))) func nothingIsTakenFromAPipeToTellItsKind() throws {
    let tone = folder.file("tone.wav")
    let writer = try AudioFileWriter(url: tone, sampleRate: 48000, channelCount: 1)
    try writer.write([Signal.noise(frames: 1000, seed: 1, amplitude: 0.5)])
    try writer.finish()
    let bytes = try Data(contentsOf: tone)
    // Opens both ends, so that no call waits for the other one.
    let ends = FileHandle(fileDescriptor: try FileOpening.open(pipe.path, O_RDWR))
    defer { try? ends.close() }
    try ends.write(contentsOf: bytes)
    #expect(PlayedKind(pipe) == .soundFont)
    #expect(try ends.read(upToCount: bytes.count) == bytes)
  }
}
