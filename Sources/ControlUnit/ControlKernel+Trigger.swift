// Triggers: presses and program changes.

import MIDIStages
import Realtime
import UnitRender

extension ControlKernel {
  /// Executes a trigger if the message is a press, or a program change in its bank.
  ///
  /// - Returns: the number of values, bypasses and resets; 0 if it was not executed.
  @_noLocks @_noAllocation
  mutating func press(
    _ entry: UnsafeMutablePointer<ControlEntry>, _ level: Double, _ message: ShortMessage,
    at frame: FrameTime, _ output: RenderEventList
  ) -> Int {
    if message.status & 0xF0 == 0xC0 {
      let bank = banks[message.channel]
      if entry.pointee.bank >= 0 && Int(entry.pointee.bank) != bank { return 0 }
      return setOff(entry.pointee.trigger, at: frame, output)
    }
    let mapping = memory.mappings + entry.pointee.slot
    if mapping.pointee.generation != entry.pointee.generation {
      mapping.pointee = MappingMemory(generation: entry.pointee.generation)
    }
    let wasPressed = mapping.pointee.isPressed
    mapping.pointee.isPressed = isPress(message, level)
    if wasPressed || !mapping.pointee.isPressed { return 0 }
    return setOff(entry.pointee.trigger, at: frame, output)
  }

  @_noLocks @_noAllocation
  private mutating func setOff(
    _ index: Int, at frame: FrameTime, _ output: RenderEventList
  ) -> Int {
    let triggers = table.pointee.triggers
    let trigger = triggers.entries + index
    var item = trigger.pointee.firstValue
    while item < trigger.pointee.endValue {
      let value = triggers.values + item
      var event = RenderEvent.parameter(
        address: value.pointee.address, value: value.pointee.value, at: frame)
      event.target = value.pointee.target
      // A full list counts the events it refuses.
      _ = output.insert(event)
      item &+= 1
    }
    item = trigger.pointee.firstBypass
    while item < trigger.pointee.endBypass {
      let bypass = triggers.bypasses + item
      var event = RenderEvent.bypass(bypass.pointee.isOn, at: frame)
      event.target = bypass.pointee.target
      _ = output.insert(event)
      item &+= 1
    }
    item = trigger.pointee.firstReset
    while item < trigger.pointee.endReset {
      triggers.resets[item].requestReset()
      item &+= 1
    }
    reports.send(ControlReport(number: trigger.pointee.number, frame: frame))
    return (trigger.pointee.endValue &- trigger.pointee.firstValue)
      &+ (trigger.pointee.endBypass &- trigger.pointee.firstBypass)
      &+ (trigger.pointee.endReset &- trigger.pointee.firstReset)
  }

  /// Receives half of a bank number.
  @_noLocks @_noAllocation
  mutating func takeBank(_ message: ShortMessage) {
    let bank = banks[message.channel]
    if message.number == 0 { banks[message.channel] = message.value &<< 7 | bank & 127 }
    if message.number == 32 { banks[message.channel] = bank & ~127 | message.value }
  }
}
