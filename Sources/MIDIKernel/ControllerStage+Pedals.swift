// Which pedals a mapping has pressed or passed, and how they are released.

import Realtime
import UnitRender

extension ControllerStage {
  @_noLocks @_noAllocation
  mutating func isReleaseOfPassedPedal(_ message: ShortMessage) -> Bool {
    let pedal = Self.pedal(message)
    return pedal != 0 && message.value < 64 && passed[message.channel] & pedal != 0
  }

  /// Notes a message that goes on as it came.
  @_noLocks @_noAllocation
  mutating func pass(_ message: ShortMessage) {
    let pedal = Self.pedal(message)
    if pedal == 0 { return }
    passed[message.channel] &= ~pedal
    if message.value >= 64 { passed[message.channel] |= pedal }
  }

  /// Notes a message that the mapping has made.
  @_noLocks @_noAllocation
  mutating func press(_ message: ShortMessage) {
    let pedal = Self.pedal(message)
    if pedal == 0 { return }
    pressed[message.channel] &= ~pedal
    if message.value >= 64 { pressed[message.channel] |= pedal }
  }

  /// The pedal of a message as a bit, 0 when it is none's.
  @_noLocks @_noAllocation
  static func pedal(_ message: ShortMessage) -> UInt8 {
    if message.status & 0xF0 != 0xB0 || !ControllerNumber.isPedal(message.number) { return 0 }
    return 1 << UInt8(truncatingIfNeeded: message.number - 64)
  }

  @_noLocks @_noAllocation
  mutating func forget(_ channel: Int) {
    passed[channel] = 0
    pressed[channel] = 0
    owed[channel] = 0
  }

  /// Has every pedal released that the mapping has pressed.
  @_noLocks @_noAllocation
  mutating func oweAll() {
    var channel = 0
    while channel < 16 {
      owe(channel)
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func owe(_ channel: Int) {
    if pressed[channel] == 0 { return }
    owed[channel] |= pressed[channel]
    pressed[channel] = 0
    owes = true
  }

  /// Releases what is owed, as far as there is room.
  /// - Returns: the last event that was put in, `event` for none.
  @_noLocks @_noAllocation
  mutating func release(
    after event: UnsafeMutablePointer<RenderEvent>?, at frame: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    var last = event
    owes = false
    var channel = 0
    while channel < 16 {
      while owed[channel] != 0 {
        let number = UInt8(truncatingIfNeeded: 64 + owed[channel].trailingZeroBitCount)
        guard
          let added = list.insert(
            .midi(0xB0 | UInt8(truncatingIfNeeded: channel), number, 0, at: frame), after: last)
        else {
          owes = true
          return last
        }
        last = added
        owed[channel] &= owed[channel] - 1
      }
      channel += 1
    }
    return last
  }
}
