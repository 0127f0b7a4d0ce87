// What a configuration says of one sound of a live set.

/// One `[[unit.entry]]`.
///
/// - Thread: [any]
public struct EntryConfiguration: Sendable, Equatable {
  /// 0 to 127: the program change that selects it.
  public let number: Located<Int>
  public let name: Located<String>
  /// As in `UnitConfiguration`; those of the unit where it has none.
  public let soundFonts: [SoundFontConfiguration]
  /// 0 to 16383.
  public let bank: Located<Int>?
  /// 0 to 127.
  public let program: Located<Int>?
  /// The parameters in the order of the file, key paths unique.
  public let parameters: [Setting]
  /// Where it stands.
  public let location: SourcePosition
}
