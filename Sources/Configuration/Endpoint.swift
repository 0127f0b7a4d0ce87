// The two ends of a connection in a configuration.

/// One end of a connection.
///
/// Written as `unit`, `unit:bus`, or a pattern of outside JACK port names. A text with a colon that
/// does not begin with a unit's id is a pattern; `physical:outputs`, `physical:inputs` and
/// `physical:midi` are the machine's own ports.
///
/// - Thread: [any]
public enum Endpoint: Sendable, Hashable {
  /// A unit of this configuration, and its bus if one is named.
  case unit(id: String, bus: BusReference?)
  /// Ports of other JACK clients.
  case outside(PortPattern)
}

/// A bus of a unit, by index or name.
///
/// - Thread: [any]
public enum BusReference: Sendable, Hashable {
  /// The index from 0; configurations count from 1, like port names.
  case index(Int)
  /// A name: the bus's own, or one defined by the session, such as "in", "out" and "midi".
  case name(String)
}

extension Endpoint {
  /// Whether it says that it is MIDI.
  package var saysMIDI: Bool {
    switch self {
    case .unit(_, .name("midi")): true
    case .outside(let pattern): pattern.physical == .midi
    case .unit: false
    }
  }

  /// Reads one end of a connection.
  ///
  /// - Parameters:
  ///   - text: a string of the configuration, with its position.
  ///   - unitIDs: the ids of all units.
  ///   - key: "from" or "to", for the message.
  package static func parse(
    _ text: Located<String>, unitIDs: [String], key: String
  ) throws(ConfigurationProblem) -> Endpoint {
    func problem(_ message: String, accepted: String) -> ConfigurationProblem {
      ConfigurationProblem(message, accepted: accepted, at: text.location)
    }
    let parts = text.value.split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let head = String(parts[0])
    let ids = unitIDs.joined(separator: ", ")
    let forms = """
      a unit (\(ids)), unit:bus, \(key == "from" ? "'physical:inputs'" : "'physical:outputs'"), 'physical:midi', or \
      a JACK port pattern such as 'system:\(key == "from" ? "capture" : "playback")_*'
      """
    if parts.count == 1 {
      if unitIDs.contains(head) { return .unit(id: head, bus: nil) }
      var message = "'\(key)' names no unit: \(quoted(head))"
      if head.isEmpty { message = "'\(key)' is empty" }
      if head == SessionConfiguration.controlID {
        message = "there is no [[map]], and so no 'control' for '\(key)'"
      } else if let nearest = nearestMatch(to: head, among: unitIDs) {
        message += ": did you mean \(quoted(nearest))?"
      }
      throw problem(message, accepted: forms)
    }
    let tail = String(parts[1])
    guard unitIDs.contains(head) else {
      guard !head.isEmpty, !tail.isEmpty else {
        throw problem("\(quoted(text.value)) is no port name", accepted: forms)
      }
      if head == PhysicalPorts.head {
        let words = PhysicalPorts.words(for: key)
        guard words.contains(where: { $0.rawValue == tail }) else {
          throw .unknown(
            "word", text.value, in: "'\(key)'", accepted: words.map(\.text), at: text.location)
        }
      }
      return .outside(PortPattern(text.value))
    }
    guard !tail.isEmpty else {
      throw problem("\(quoted(text.value)) names no bus", accepted: "\(head):1, or \(head):name")
    }
    guard tail.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return .unit(id: head, bus: .name(tail))
    }
    guard let number = Int(tail), (1...maximumBusses).contains(number) else {
      throw problem(
        "\(quoted(text.value)) is no bus number",
        accepted: "numbers from 1 to \(maximumBusses), or the bus's name")
    }
    return .unit(id: head, bus: .index(number - 1))
  }

  private static var maximumBusses: Int { 256 }
}
