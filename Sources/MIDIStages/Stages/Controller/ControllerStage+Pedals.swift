// Which pedals a mapping has pressed or passed, and how they are released.

import Realtime
import UnitRender

extension ControllerStage {
  @_noLocks @_noAllocation
  mutating func pedals(_ channel: Int) -> UInt8 { passed[channel] }

  /// What a mapping has pressed nothing else releases.
  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) { if isBypassed { oweAll() } }

  @_noLocks @_noAllocation
  mutating func isReleaseOfPassedPedal(_ message: ShortMessage) -> Bool {
    message.value < 64 && passed[message.channel] & message.pedal != 0
  }

  /// Notes a message that goes on as it came.
  @_noLocks @_noAllocation
  mutating func pass(_ message: ShortMessage) {
    passed[message.channel] = message.moving(passed[message.channel])
  }

  /// Notes a message that the mapping has made.
  @_noLocks @_noAllocation
  mutating func press(_ message: ShortMessage) {
    pressed[message.channel] = message.moving(pressed[message.channel])
  }

  @_noLocks @_noAllocation
  mutating func forget(_ channel: Int) {
    passed[channel] = 0
    pressed[channel] = 0
    owed.pointee.forgetPedals(of: channel)
  }

  /// Has every pedal released that the mapping has pressed.
  @_noLocks @_noAllocation
  mutating func oweAll() {
    var channel = 0
    while channel < 16 {
      owe(channel)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func owe(_ channel: Int) {
    owed.pointee.add(pedals: pressed[channel], of: channel)
    pressed[channel] = 0
  }
}
