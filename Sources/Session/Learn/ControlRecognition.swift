// Recognition of the control that a hand moves.

import Configuration
import MIDIStages
import SessionModel
import UnitRender

/// Recognises from messages which control has moved first. Two halves of one value count as one
/// control.
struct ControlRecognition {
  /// Whether keys count.
  let takesNotes: Bool
  /// Whether program changes count.
  let takesPrograms: Bool
  private(set) var found: (source: MappingConfiguration.Source, channel: Int)?
  /// Controllers seen so far, by channel.
  private var seen: [Set<Int>] = Array(repeating: [], count: 16)
  private var entries: [ControllerHalves] = Array(repeating: ControllerHalves(), count: 16)

  init(takesNotes: Bool, takesPrograms: Bool = false) {
    (self.takesNotes, self.takesPrograms) = (takesNotes, takesPrograms)
  }

  mutating func take(_ message: ShortMessage) {
    let channel = message.channel
    switch message.status & 0xF0 {
    case 0x90 where takesNotes && message.value > 0: find(.note(message.number), channel)
    case 0xC0 where takesPrograms: find(.program(message.number), channel)
    case 0xD0: find(.pressure, channel)
    case 0xE0: find(.bend, channel)
    case 0xB0: takeController(message.number, message.value, channel)
    default: break
    }
  }

  private mutating func takeController(_ number: Int, _ value: Int, _ channel: Int) {
    switch number {
    case 98...101: entries[channel].select(number, value)
    case 6, 38, 96, 97:
      let selection = entries[channel].selection
      // Both halves at 127 select nothing.
      if (0..<16_383).contains(selection) {
        find(.nonRegistered(selection), channel)
      } else {
        takePlain(number, channel)
      }
    case 0..<120: takePlain(number, channel)
    default: break
    }
  }

  private mutating func takePlain(_ number: Int, _ channel: Int) {
    seen[channel].insert(number)
    find(.controller(number), channel)
    let coarse = number & 31
    guard number < 64, let found, found.channel == channel + 1, seen[channel].contains(coarse),
      seen[channel].contains(coarse + 32)
    else { return }
    if [.controller(coarse), .controller(coarse + 32)].contains(found.source) {
      self.found = (.controllerPair(coarse), channel + 1)
    }
  }

  private mutating func find(_ source: MappingConfiguration.Source, _ channel: Int) {
    if found == nil { found = (source, channel + 1) }
  }
}
