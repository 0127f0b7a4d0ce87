// What is played is looked at without taking anything from it.

import Files
import Foundation
import MediaFiles
import TestSupport
import Testing

@testable import Tools

@Suite struct PlayedKindTests {
  private let folder: TemporaryDirectory
  /// One that nobody writes to.
  private let pipe: URL

  init() throws {
    folder = try TemporaryDirectory()
    pipe = try folder.makePipe()
  }

  @Test(.timeLimit(.minutes(1))) func aPipeThatNobodyWritesToHasNoKind() {
    #expect(PlayedKind(pipe) == nil)
  }

  /// What comes through a pipe is left to who plays it.
  @Test(.timeLimit(.minutes(1))) func nothingIsTakenFromAPipeToTellItsKind() throws {
    let tone = folder.file("tone.wav")
    let writer = try AudioFileWriter(url: tone, sampleRate: 48000, channelCount: 1)
    try writer.write([Signal.noise(frames: 1000, seed: 1, amplitude: 0.5)])
    try writer.finish()
    let bytes = try Data(contentsOf: tone)
    // Both ends, so that it never has to wait for one.
    let ends = FileHandle(fileDescriptor: try FileOpening.open(pipe.path, O_RDWR))
    defer { try? ends.close() }
    try ends.write(contentsOf: bytes)
    #expect(PlayedKind(pipe) == nil)
    #expect(try ends.read(upToCount: bytes.count) == bytes)
  }
}
