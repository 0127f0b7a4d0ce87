// The pedals that a mapping has pressed or passed, and their release.

import Realtime
import UnitRender

extension ControllerStage {
  @_noLocks @_noAllocation
  mutating func pedals(_ channel: Int) -> UInt8 { passed[channel] }

  /// Releases the pedals that a mapping has pressed: nothing else does.
  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) { if isBypassed { addAllReleases() } }

  @_noLocks @_noAllocation
  mutating func isReleaseOfPassedPedal(_ message: ShortMessage) -> Bool {
    message.value < 64 && passed[message.channel] & message.pedal != 0
  }

  /// Records the pedals of a message that passes unchanged.
  @_noLocks @_noAllocation
  mutating func pass(_ message: ShortMessage) {
    passed[message.channel] = message.moving(passed[message.channel])
  }

  /// Records the pedals of a message that the mapping has made.
  @_noLocks @_noAllocation
  mutating func press(_ message: ShortMessage) {
    pressed[message.channel] = message.moving(pressed[message.channel])
  }

  @_noLocks @_noAllocation
  mutating func forget(_ channel: Int) {
    passed[channel] = 0
    pressed[channel] = 0
    pendingReleases.pointee.forgetPedals(of: channel)
  }

  /// Adds all pedals that the mapping has pressed to the pending releases.
  @_noLocks @_noAllocation
  mutating func addAllReleases() {
    var channel = 0
    while channel < 16 {
      addReleases(of: channel)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func addReleases(of channel: Int) {
    pendingReleases.pointee.add(pedals: pressed[channel], of: channel)
    pressed[channel] = 0
  }
}
