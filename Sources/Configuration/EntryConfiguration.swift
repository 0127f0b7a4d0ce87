// What a configuration says of one sound of a live set.

/// One `[[unit.entry]]`.
///
/// - Thread: [any]
public struct EntryConfiguration: Sendable, Equatable {
  /// 0 to 127: the program change that selects it.
  public var number: Located<Int>
  public var name: Located<String>
  /// As in `UnitConfiguration`; those of the unit where it has none.
  public var soundFonts: [SoundFontConfiguration]
  /// 0 to 16383.
  public var bank: Located<Int>?
  /// 0 to 127.
  public var program: Located<Int>?
  /// The parameters in the order of the file, key paths unique.
  public var parameters: [Setting]
  /// Where it stands.
  public var location: SourcePosition
}
