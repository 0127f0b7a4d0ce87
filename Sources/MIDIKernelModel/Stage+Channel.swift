// The parameters of the stage that sends messages to other channels.

import MIDIKernel
import UnitModel

extension MIDIChainLayout.Stage {
  /// The indices here are those of the stage's `setParameter`, and in order.
  var channelParameters: [ParameterNode] {
    [
      channelGroup(name: "Channels"),
      choice("mode", "Mode", 16, ["Map", "Merge", "Zones"]),
      whole("merge", "Merge to Channel", 17, 1...16, 1, .generic),
      ParameterGroup(
        identifier: "map", name: "Map",
        children: (1...16).map {
          whole("\($0)", "Channel \($0) to", UInt64(17 + $0), 1...16, Float($0), .generic)
        }),
      ParameterGroup(identifier: "zones", name: "Zones", children: (0..<8).map(zone)),
    ]
  }

  private func zone(_ index: Int) -> ParameterNode {
    let address = UInt64(34 + 5 * index)
    return ParameterGroup(
      identifier: "\(index + 1)", name: "Zone \(index + 1)",
      children: [
        whole("channel", "Channel (0: no zone)", address, 0...16, 0, .generic),
        number("keyLow", "Lowest Key", address + 1, 0...127, 0, .midiNoteNumber),
        number("keyHigh", "Highest Key", address + 2, 0...127, 127, .midiNoteNumber),
        whole("fadeLow", "Keys that Fade in", address + 3, 0...127, 0, .generic),
        whole("fadeHigh", "Keys that Fade out", address + 4, 0...127, 0, .generic),
      ])
  }
}
