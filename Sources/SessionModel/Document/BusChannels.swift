// The channels of a unit's busses.

import UnitModel

/// How many channels the busses of a unit had, for one that is like it.
package struct BusChannels: Sendable {
  private let inputs: [Int]
  private let outputs: [Int]

  package init(_ unit: AudioUnit) {
    inputs = unit.inputBusses.map(\.format.channelCount)
    outputs = unit.outputBusses.map(\.format.channelCount)
  }

  /// Gives them to a unit that has no resources. Open inputs follow what feeds them; a bus that
  /// does not take them, such as that of a player whose file has changed meanwhile, keeps its own.
  package func restore(_ unit: AudioUnit) {
    for (busses, channels) in [(unit.inputBusses, inputs), (unit.outputBusses, outputs)]
    where !busses.isOpen {
      for (bus, count) in zip(busses, channels) where bus.format.channelCount != count {
        try? bus.setFormat(AudioFormat(sampleRate: bus.format.sampleRate, channelCount: count))
      }
    }
  }
}
