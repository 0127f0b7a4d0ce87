// The parameters of the stage that sends messages to other channels.

import MIDIStages
import UnitModel

extension MIDIChainLayout.Stage {
  var channelParameters: [ParameterNode] {
    [
      channelGroup,
      choice("mode", "Mode", ChannelParameter.mode, ["Map", "Merge", "Zones"]),
      whole("merge", "Merge to Channel", ChannelParameter.merge, 1...16, 1, .generic),
      ParameterGroup(
        identifier: "map", name: "Map",
        children: (0..<16).map {
          whole(
            "\($0 + 1)", "Channel \($0 + 1) to", ChannelParameter.map, plus: $0, 1...16,
            Float($0 + 1), .generic)
        }),
      ParameterGroup(
        identifier: "zones", name: "Zones", children: (0..<ChannelParameter.zoneCount).map(zone)),
    ]
  }

  private func zone(_ index: Int) -> ParameterNode {
    func offset(_ parameter: ChannelZoneParameter) -> Int {
      index * ChannelZoneParameter.count + parameter.rawValue
    }
    let zones = ChannelParameter.zones
    return ParameterGroup(
      identifier: "\(index + 1)", name: "Zone \(index + 1)",
      children: [
        whole(
          "channel", "Channel (0: no zone)", zones, plus: offset(.channel), 0...16, 0, .generic),
        number("keyLow", "Lowest Key", zones, plus: offset(.keyLow), 0...127, 0, .midiNoteNumber),
        number(
          "keyHigh", "Highest Key", zones, plus: offset(.keyHigh), 0...127, 127, .midiNoteNumber),
        whole("fadeLow", "Keys that Fade in", zones, plus: offset(.fadeLow), 0...127, 0, .generic),
        whole(
          "fadeHigh", "Keys that Fade out", zones, plus: offset(.fadeHigh), 0...127, 0, .generic),
      ])
  }
}
