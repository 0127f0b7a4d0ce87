// Note values: 1/1 to 1/64, each plain, dotted and as a triplet.

/// A length in beats, as musicians name it.
public enum NoteValue {
  /// The names in the order of parameter values, which never changes: `1/1`, dotted `1/1.`, triplet
  /// `1/1T`, `1/2` …
  ///
  /// - Thread: [any]
  public static var names: [String] {
    (0...6).flatMap { power in ["", ".", "T"].map { "1/\(1 << power)\($0)" } }
  }

  static var count: Int { @_noLocks @_noAllocation get { 21 } }
  /// The index of a sixteenth among the names.
  public static var sixteenth: Int { @_noLocks @_noAllocation get { 12 } }
  /// The index of an eighth among the names.
  public static var eighth: Int { @_noLocks @_noAllocation get { 9 } }

  /// The length of a value in beats of a quarter note.
  /// - Parameter index: 0 to 20.
  @_noLocks @_noAllocation
  static func beats(_ index: Int) -> Double {
    let plain = 4 / Double(1 << (index / 3))
    switch index % 3 {
    case 1: return plain * 1.5
    case 2: return plain * 2 / 3
    default: return plain
    }
  }
}
