// Units of a configuration.

/// One `[[unit]]`.
///
/// - Thread: [any]
public struct UnitConfiguration: Sendable, Equatable {
  /// The unit's id, used in port names: letters, digits, `-` and `_`, at most 64 of them.
  public var id: Located<String>
  /// A component's short name ("sampler"), or its codes ("aumu/smpl/Aurc").
  public var component: Located<String>
  /// The file of a state that TOML cannot express, relative to the configuration's folder. Restored
  /// before the preset; after it for a unit with entries.
  public var state: Located<String>?
  /// The switches that are written.
  public var switches: [UnitSwitch: Located<Bool>] = [:]
  /// The name of a preset to load before the parameters are set.
  public var preset: Located<String>?
  /// The parameters in the order of the file, key paths unique.
  public var parameters: [Setting]
  /// The MIDI stages in their order.
  public var midiStages: [Located<MIDIStageConfiguration>]
  /// The place that the user has chosen for the unit's box in a picture; nil if none.
  public var place: Located<BoxPosition>?
  /// The keys of the unit's kind.
  public var keys: UnitKeys
  /// The position of its `[[unit]]`.
  @Uncompared public var location: SourcePosition
}
