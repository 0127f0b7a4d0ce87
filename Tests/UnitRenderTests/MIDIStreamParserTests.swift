// Messages made from a port's bytes.

import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct MIDIStreamParserTests {
  /// Returns the messages made from `pieces`, which arrive one after the other.
  func messages(
    _ pieces: [[UInt8]], systemExclusiveCapacity: Int = 64
  ) -> (messages: [[UInt8]], malformed: Int, refused: Int) {
    var parser = MIDIStreamParser(systemExclusiveCapacity: systemExclusiveCapacity)
    defer { parser.deallocate() }
    let list = RenderEventList.allocate(events: 64, payload: 256)
    defer { list.deallocate() }
    var refused = 0
    for (index, piece) in pieces.enumerated() {
      refused += piece.withUnsafeBufferPointer {
        $0.isEmpty
          ? 0 : parser.read($0.baseAddress!, count: $0.count, at: FrameTime(index), into: list)
      }
    }
    var result: [[UInt8]] = []
    var next = list.first
    while let event = next {
      if event.pointee.eventKind == .systemExclusive {
        result.append(
          Array(
            UnsafeBufferPointer(
              start: list.systemExclusiveBytes(of: event), count: Int(event.pointee.length))))
      } else {
        let bytes = event.pointee.bytes
        result.append(Array([bytes.0, bytes.1, bytes.2].prefix(Int(event.pointee.length))))
      }
      next = list.next(after: event)
    }
    return (result, parser.malformedCount, refused)
  }

  @Test func runningStatusContinuesWithinAndAcrossEvents() {
    let result = messages([[0x90, 60, 100, 62, 100], [64, 100], [0xC1, 5], [6]])
    #expect(
      result.messages == [
        [0x90, 60, 100], [0x90, 62, 100], [0x90, 64, 100], [0xC1, 5], [0xC1, 6],
      ])
    #expect(result.malformed == 0)
  }

  @Test func realtimeBytesMayStandInsideAnyMessage() {
    let result = messages([[0x90, 0xF8, 60, 0xFA, 100], [0xF0, 1, 0xF8, 2, 0xF7]])
    #expect(result.messages == [[0xF8], [0xFA], [0x90, 60, 100], [0xF8], [0xF0, 1, 2, 0xF7]])
    #expect(result.malformed == 0)
  }

  @Test func systemExclusiveMayComeInPieces() {
    let result = messages([[0xF0, 1, 2], [3, 4], [5, 0xF7], [0xB0, 7, 1]])
    #expect(result.messages == [[0xF0, 1, 2, 3, 4, 5, 0xF7], [0xB0, 7, 1]])
  }

  @Test func systemExclusiveThatIsTooLongIsDroppedAndCounted() {
    let long = [0xF0] + [UInt8](repeating: 1, count: 100) + [0xF7]
    let result = messages([long, [0x80, 1, 2]])
    #expect(result.messages == [[0x80, 1, 2]])
    #expect(result.malformed == 1)
  }

  @Test func bytesThatAreNoMIDIAreSkippedAndCounted() {
    let result = messages([[1, 2], [0x90, 60], [0xF4], [0x80, 60, 0], [0xF7], [0xFD]])
    #expect(result.messages == [[0x80, 60, 0]])
    #expect(result.malformed == 6)
  }

  @Test func systemCommonCancelsRunningStatus() {
    let result = messages([[0x90, 60, 1, 0xF2, 1, 2, 60, 1]])
    #expect(result.messages == [[0x90, 60, 1], [0xF2, 1, 2]])
    #expect(result.malformed == 2)
  }

  @Test func anyBytesMakeOnlyWholeMessages() {
    var random = SeededRandom(seed: 2)
    for _ in 0..<2000 {
      let pieces = (0..<4).map { _ in
        (0..<Int.random(in: 0..<20, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
      for message in messages(pieces).messages {
        let form = message.withUnsafeBufferPointer {
          MIDIMessage.form(of: $0.baseAddress!, count: $0.count)
        }
        #expect(form != .malformed, "\(message) of \(pieces)")
      }
    }
  }

  @Test func messagesWithoutRoomAreReported() {
    let result = messages([[UInt8](repeating: 0xF8, count: 70)])
    #expect(result.messages.count == 64)
    #expect(result.refused == 6)
  }
}
