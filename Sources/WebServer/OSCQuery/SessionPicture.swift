// A session as its socket shows it.

import OSC

/// The state of a session that OSCQuery shows.
struct SessionPicture {
  struct Unit: Decodable {
    let id: String
    let component: String
    var isBypassed: Bool
    /// The preset or entry that was chosen last.
    let preset: String?
  }

  struct Parameter: Decodable {
    struct Display: Decodable {
      let name: String
      let isWhole: Bool
    }

    let path: String
    let value: Double
    let text: String
    let unit: String
    let minimum: Double
    let maximum: Double
    /// The names of its values.
    let values: [String]
    let isReading: Bool
    /// The features that only answers have, no notices.
    var display: Display?
  }

  var units: [Unit] = []
  /// The units that take MIDI.
  var players: Set<String> = []
  /// The parameters by their paths.
  var parameters: [String: Parameter] = [:]
  /// The names of the presets, by unit.
  var presets: [String: [String]] = [:]
  var scenes: [String] = []
  /// The endpoints at which the session listens for OSC, as URLs.
  var osc: [String] = []

  /// Returns the current value at an address; nil if nothing can be read there.
  func value(of target: OSCQueryNode.Target) -> OSCArgument? {
    switch target {
    case .parameter(let path): parameters[path]?.argument
    case .bypass(let id): unit(id).map { .boolean($0.isBypassed) }
    case .preset(let id): unit(id).map { .string($0.preset ?? "") }
    case .container, .note, .scene, .panic, .steps: nil
    }
  }

  private func unit(_ id: String) -> Unit? { units.first { $0.id == id } }
}

extension SessionPicture.Parameter {
  /// The type tag: that of its values, as the session's OSC takes them too.
  var type: Character {
    if !values.isEmpty { return "s" }
    // Only switches have these texts.
    if minimum == 0 && maximum == 1 && ["On", "Off"].contains(text) { return "T" }
    return display?.isWhole == true ? "i" : "f"
  }

  fileprivate var argument: OSCArgument {
    switch type {
    case "s": .string(text)
    case "T": .boolean(value >= 0.5)
    case "i": .int32(Int32(clamping: value.nearestWhole))
    default: .float(Float(value))
    }
  }
}

extension Double {
  /// The nearest whole number that has room.
  var nearestWhole: Int64 { Int64(exactly: rounded()) ?? (self < 0 ? .min : .max) }
}
