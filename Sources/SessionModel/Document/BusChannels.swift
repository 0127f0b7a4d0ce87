// The channels of a unit's busses.

import UnitModel

/// The channel counts of a unit's busses, to restore on a unit like it.
package struct BusChannels: Sendable {
  private let inputs: [Int]
  private let outputs: [Int]

  package init(_ unit: AudioUnit) {
    inputs = unit.inputBusses.map(\.format.channelCount)
    outputs = unit.outputBusses.map(\.format.channelCount)
  }

  /// Sets these counts on a unit without resources. Skips open inputs, which follow their
  /// connections. Busses that refuse their count keep their own, such as a player's after its file
  /// has changed.
  package func restore(_ unit: AudioUnit) {
    for (busses, channels) in [(unit.inputBusses, inputs), (unit.outputBusses, outputs)]
    where !busses.isOpen {
      for (bus, count) in zip(busses, channels) where bus.format.channelCount != count {
        try? bus.setFormat(AudioFormat(sampleRate: bus.format.sampleRate, channelCount: count))
      }
    }
  }
}
