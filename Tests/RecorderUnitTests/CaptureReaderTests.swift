// Frames and marks are read in the order of their capture.

import Testing

@testable import RecorderUnit

@Suite struct CaptureReaderTests {
  @Test func aMarkWaitsForTheFramesBeforeIt() throws {
    let line = try CaptureRing(channelCount: 1, frames: 1024)
    defer { line.deallocate() }
    var reader = CaptureReader(line)
    line.advance(100)
    reader.look()
    // The mark arrives while the reader is at work.
    line.advance(100)
    let gap = CaptureMark(position: 200, kind: CaptureMark.loss, value: 50)
    #expect(line.marks.trySend(gap))
    #expect(reader.next() == .frames(100))
    #expect(line.take(100) { _, _ in } == 100)
    #expect(reader.next() == nil)
    reader.look()
    #expect(reader.next() == .frames(100))
    #expect(line.take(100) { _, _ in } == 100)
    #expect(reader.next() == .mark(gap))
    #expect(reader.next() == nil)
  }
}
