// The environment's factory presets.

import DSP

/// A kind of space.
enum EnvironmentPreset: String, CaseIterable {
  case openAir = "Open Air"
  case room = "Room"
  case hall = "Hall"
  case cathedral = "Cathedral"

  var values: [String: Float] {
    switch self {
    case .openAir: Self.values(.mediumRoom, isOn: false, rollOff: 1)
    case .room: Self.values(.mediumRoom, isOn: true, rollOff: 0.7)
    case .hall: Self.values(.largeHall, isOn: true, rollOff: 0.6)
    case .cathedral: Self.values(.cathedral, isOn: true, rollOff: 0.5)
    }
  }

  private static func values(
    _ room: ReverbPreset, isOn: Bool, rollOff: Float
  ) -> [String: Float] {
    [
      "distance.model": 0, "distance.reference": 1, "distance.rollOff": rollOff,
      "reverb.on": isOn ? 1 : 0, "reverb.level": 0, "reverb.filter.bypass": 1,
      "reverb.preset": Float(ReverbPreset.allCases.firstIndex(of: room) ?? 0),
    ]
  }
}
