// Notices to those who watch a session.

/// A change or a measurement of a watched session.
public enum SessionNotice: Sendable, Equatable {
  /// A parameter has changed.
  case change(ParameterReading)
  /// The state of a unit's bypass: at first, and after each change.
  case bypass(BypassReading)
  /// The levels since the last notice.
  case meters(MeterReading)
  /// The graph: at first, and after each change.
  case graph(GraphReading)
  /// The state of the session: at first, and after each change.
  case session(SessionReading)
  /// The load, once a second.
  case load(LoadReading)
  /// The MIDI events since the last notice.
  case midi(MIDIReading)
  /// The spectra of the latest frames.
  case spectra(SpectrumReading)

  /// The subject: a newer notice replaces an unsent one of the same subject.
  package var subject: String {
    switch self {
    case .change(let reading): reading.path
    // No path begins with a slash.
    case .bypass(let reading): "/bypass/" + reading.unit
    case .meters: "/meters"
    case .graph: "/graph"
    case .session: "/session"
    case .load: "/load"
    case .midi: "/midi"
    case .spectra: "/spectra"
    }
  }
}

/// The state of a unit's bypass.
public struct BypassReading: Sendable, Hashable, Codable {
  /// The unit's id.
  public let unit: String
  public let on: Bool

  package init(unit: String, on: Bool) { (self.unit, self.on) = (unit, on) }
}
