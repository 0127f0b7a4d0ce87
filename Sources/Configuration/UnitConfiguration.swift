// What a configuration says of one unit.

/// One `[[unit]]`.
///
/// - Thread: [any]
public struct UnitConfiguration: Sendable, Equatable {
  /// Names the unit's ports: letters, digits, `-` and `_`, at most 64 of them.
  public var id: Located<String>
  /// A component's short name ("sampler"), or its codes ("aumu/smpl/Aurc").
  public var component: Located<String>
  /// The file of a state that TOML cannot say, beside the configuration; restored before the
  /// preset.
  public var state: Located<String>?
  /// Whether the unit is bypassed at first.
  public var bypass: Located<Bool>?
  /// Whether the unit is reset where the transport starts or moves.
  public var resetsWithTransport: Located<Bool>?
  /// The name of a preset, to be loaded before the parameters are set.
  public var preset: Located<String>?
  /// The parameters in the order of the file, key paths unique.
  public var parameters: [Setting]
  /// The MIDI stages in their order.
  public var midiStages: [Located<MIDIStageConfiguration>]
  /// What belongs to the unit's kind.
  public var keys: UnitKeys
  /// Where its `[[unit]]` stands.
  @Uncompared public var location: SourcePosition
}
