// A short message is the bytes of its event, in one integer.

import Testing
import UnitRender

@Suite struct ShortMessageTests {
  @Test func aMessageIsTheBytesOfItsEventAndTheOtherWayRound() {
    var event = RenderEvent.midi(0x93, 60, 100, at: 5)
    let message = event.message
    #expect(message.status == 0x93 && message.channel == 3)
    #expect(message.number == 60 && message.value == 100)
    withUnsafeMutablePointer(to: &event) { event in
      #expect(ShortMessage(of: event).word == message.word)
      ShortMessage(0xE1, 1, 2).write(to: event)
    }
    #expect(event.bytes == (0xE1, 1, 2, 0) && event.message.bend == 257)
    let other = RenderEvent.midi(event.message, at: 9)
    #expect(other.bytes == event.bytes && other.frame == 9 && other.length == 3)
    #expect(other.eventKind == .midi)
  }

  @Test func aMessageIsWholeWithAsManyBytesAsItsStatusSaysAndDataUpTo127() {
    for (status, length) in [(0x80, 3), (0xBF, 3), (0xC0, 2), (0xDF, 2), (0xE0, 3), (0xF8, 1)] {
      for other in 0...4 {
        let data = other > 1 ? 127 : 0
        let message = ShortMessage(status, data, other > 2 ? 127 : 0)
        #expect(message.isWhole(length: UInt32(other)) == (other == length))
      }
    }
    #expect(!ShortMessage(0x90, 128, 1).isWhole(length: 3))
    #expect(!ShortMessage(0x90, 1, 128).isWhole(length: 3))
    for status in [0, 0x7F, 0xF0, 0xF4, 0xF7] {
      for length in 0...3 { #expect(!ShortMessage(status, 0, 0).isWhole(length: UInt32(length))) }
    }
  }
}
