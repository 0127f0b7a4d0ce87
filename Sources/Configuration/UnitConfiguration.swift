// What a configuration says of one unit.

/// A SoundFont of a unit.
///
/// - Thread: [any]
public struct SoundFontConfiguration: Sendable, Equatable {
  /// The file's name as written; `SoundFontLocator` finds the file.
  public let file: Located<String>
  /// What is added to the file's banks, 0 to 127.
  public let bankOffset: Located<Int>?
}

/// One `[[unit]]`.
///
/// - Thread: [any]
public struct UnitConfiguration: Sendable, Equatable {
  /// Names the unit's ports: letters, digits, `-` and `_`, at most 64 of them.
  public let id: Located<String>
  /// A component's short name ("sampler"), or its codes ("aumu/smpl/Aurc").
  public let component: Located<String>
  /// The SoundFonts, the lowest of the stack first; one for the key `soundfont`.
  public let soundFonts: [SoundFontConfiguration]
  /// 0 to 16383.
  public let bank: Located<Int>?
  /// 0 to 127.
  public let program: Located<Int>?
  /// The sampler's channels of percussion, 1 to 16; empty for none.
  public let drumChannels: Located<[ClosedRange<Int>]>?
  /// The word for how bank selects are read, as written.
  public let bankSelect: Located<String>?
  /// The word for the sampler's output busses, as written.
  public let outputs: Located<String>?
  /// The name of a preset, to be loaded before the parameters are set.
  public let preset: Located<String>?
  /// The parameters in the order of the file, key paths unique.
  public let parameters: [Setting]
  /// The MIDI stages in their order.
  public let midiStages: [Located<MIDIStageConfiguration>]
  /// The sounds of its live set, in the order of the file; numbers and names unique.
  public let entries: [EntryConfiguration]
  /// The channel whose program changes select entries, 1 to 16; nil inside for all of them.
  public let entryChannel: Located<Int?>?
  /// Whether the SoundFonts of all entries are loaded at the start.
  public let preloadsEntries: Located<Bool>?
  /// Keys that belong to particular kinds of units, for the composition to accept or refuse.
  public let properties: [Setting]
  /// Where its `[[unit]]` stands.
  public let location: SourcePosition
}
