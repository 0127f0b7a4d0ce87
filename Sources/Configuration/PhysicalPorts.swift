// Words for the machine's own ports, whatever a server calls them.

/// Ports of the machine itself: `physical:outputs`, `physical:inputs` and `physical:midi` in
/// configurations.
///
/// Under jackd they are mostly `system:playback_1` and the like, under PipeWire they have the names
/// of devices.
///
/// - Thread: [any]
public enum PhysicalPorts: String, CaseIterable, Sendable {
  /// What is heard: loudspeakers and headphones.
  case outputs
  /// What hears: microphones and line inputs.
  case inputs
  /// MIDI devices: as a source every keyboard, as a destination every instrument.
  case midi

  /// What stands before the colon.
  public static let head = "physical"

  public var text: String { "\(Self.head):\(rawValue)" }

  /// The words that may stand behind `from` or `to`.
  static func words(for key: String) -> [PhysicalPorts] {
    key == "from" ? [.inputs, .midi] : [.outputs, .midi]
  }
}
