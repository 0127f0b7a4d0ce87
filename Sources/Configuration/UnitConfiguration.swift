// What a configuration says of one unit.

/// A SoundFont of a unit.
///
/// - Thread: [any]
public struct SoundFontConfiguration: Sendable, Equatable {
  /// The file's name as written; `SoundFontLocator` finds the file.
  public var file: Located<String>
  /// What is added to the file's banks, 0 to 127.
  public var bankOffset: Located<Int>?
  /// How many bytes the file had when the session was saved.
  public var size: Located<Int>?
  /// Their SHA-256 in 64 hexadecimal digits.
  public var sha256: Located<String>?

  /// - Thread: [any]
  public init(
    file: Located<String>, bankOffset: Located<Int>? = nil, size: Located<Int>? = nil,
    sha256: Located<String>? = nil
  ) {
    self.file = file
    self.bankOffset = bankOffset
    self.size = size
    self.sha256 = sha256
  }
}

/// One `[[unit]]`.
///
/// - Thread: [any]
public struct UnitConfiguration: Sendable, Equatable {
  /// Names the unit's ports: letters, digits, `-` and `_`, at most 64 of them.
  public var id: Located<String>
  /// A component's short name ("sampler"), or its codes ("aumu/smpl/Aurc").
  public var component: Located<String>
  /// The SoundFonts, the lowest of the stack first; one for the key `soundfont`.
  public var soundFonts: [SoundFontConfiguration]
  /// 0 to 16383.
  public var bank: Located<Int>?
  /// 0 to 127.
  public var program: Located<Int>?
  /// The sampler's channels of percussion, 1 to 16; empty for none.
  public var drumChannels: Located<[ClosedRange<Int>]>?
  /// The word for how bank selects are read, as written.
  public var bankSelect: Located<String>?
  /// The word for the sampler's output busses, as written.
  public var outputs: Located<String>?
  /// The file of a state that TOML cannot say, beside the configuration; restored before the preset.
  public var state: Located<String>?
  /// Whether the unit is bypassed at first.
  public var bypass: Located<Bool>?
  /// The name of a preset, to be loaded before the parameters are set.
  public var preset: Located<String>?
  /// The parameters in the order of the file, key paths unique.
  public var parameters: [Setting]
  /// The MIDI stages in their order.
  public var midiStages: [Located<MIDIStageConfiguration>]
  /// The sounds of its live set, in the order of the file; numbers and names unique.
  public var entries: [EntryConfiguration]
  /// The channel whose program changes select entries, 1 to 16; nil inside for all of them.
  public var entryChannel: Located<Int?>?
  /// Whether the SoundFonts of all entries are loaded at the start.
  public var preloadsEntries: Located<Bool>?
  /// Keys that belong to particular kinds of units, for the composition to accept or refuse.
  public var properties: [Setting]
  /// Where its `[[unit]]` stands.
  public var location: SourcePosition
}
