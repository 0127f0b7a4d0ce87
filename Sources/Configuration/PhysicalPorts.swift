// Names for the machine's own ports, independent of the server's names.

/// The machine's own ports: `physical:outputs`, `physical:inputs` and `physical:midi` in
/// configurations.
///
/// With jackd these are mostly `system:playback_1` and so on; with PipeWire they have the names of
/// devices.
///
/// - Thread: [any]
public enum PhysicalPorts: String, CaseIterable, Sendable {
  /// Outputs of the machine, such as loudspeakers and headphones.
  case outputs
  /// Inputs of the machine, such as microphones and line inputs.
  case inputs
  /// MIDI devices: every keyboard as a source, every instrument as a destination.
  case midi

  /// The text before the colon.
  public static let head = "physical"

  public var text: String { "\(Self.head):\(rawValue)" }

  /// Returns the names that `from` or `to` accepts.
  static func words(for key: String) -> [PhysicalPorts] {
    key == "from" ? [.inputs, .midi] : [.outputs, .midi]
  }
}
