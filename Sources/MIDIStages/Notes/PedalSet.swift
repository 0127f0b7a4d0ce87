// The pedals that are down.

import UnitRender

/// The pedals of each channel, as bits, from controller 64 on.
struct PedalSet: BitwiseCopyable {
  private var bits = InlineArray<16, UInt8>(repeating: 0)
  /// The channels, as bits, with pedals down.
  private(set) var channels: UInt16 = 0

  /// - Thread: [any]
  @_noLocks @_noAllocation
  init() {}

  var isEmpty: Bool { @_noLocks @_noAllocation get { channels == 0 } }

  subscript(channel: Int) -> UInt8 {
    @_noLocks @_noAllocation get { bits[channel] }
    @_noLocks @_noAllocation set {
      bits[channel] = newValue
      channels = channels.with(bit: channel, newValue != 0)
    }
  }

  /// Takes in a controller: one of a pedal, or Reset All Controllers.
  @_noLocks @_noAllocation
  mutating func take(_ controller: ShortMessage) {
    let channel = controller.channel
    if controller.pedal != 0 {
      self[channel] = controller.moving(self[channel])
    } else if controller.number == ControllerNumber.resetAllControllers {
      self[channel] = 0
    }
  }

  @_noLocks @_noAllocation
  mutating func removeAll() {
    if !isEmpty { self = PedalSet() }
  }
}
