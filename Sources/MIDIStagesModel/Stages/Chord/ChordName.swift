// Chord names as players write them.

import MIDIStages
public import UnitModel

/// The name of a chord: `Bbmaj7`, `F#m7b5`, `Am7/E`.
///
/// - Thread: [any]
public struct ChordName: Sendable, Hashable, CustomStringConvertible {
  /// The root, 0 to 11: C to B.
  public let root: Int
  /// The index in `ChordQuality.all`.
  public let quality: Int
  /// The bass, 0 to 11: C to B.
  public let bass: Int
  public let spelling: NoteSpelling

  /// - Returns: nil if `root` or `bass` is outside 0 to 11, or `quality` is no index in
  ///   `ChordQuality.all`.
  public init?(root: Int, quality: Int, bass: Int, spelling: NoteSpelling = .automatic) {
    guard (0..<12).contains(root), (0..<12).contains(bass),
      ChordQuality.all.indices.contains(quality)
    else { return nil }
    self.root = root
    self.quality = quality
    self.bass = bass
    self.spelling = spelling
  }

  /// The chord that a stage found last.
  ///
  /// - Parameters:
  ///   - group: the key path of the stage, such as `midi.chord`.
  ///   - tree: the parameters of a unit.
  /// - Returns: nil if the held notes have no chord name, or there is no such stage.
  /// - Thread: [control]
  public init?(foundBy group: String, in tree: ParameterTree) {
    let values = ["root", "quality", "bass"].map {
      Int(tree.parameter(keyPath: "\(group).\($0)")?.value ?? 0) - 1
    }
    let spelling = Int(tree.parameter(keyPath: "\(group).spelling")?.value ?? 0)
    self.init(
      root: values[0], quality: values[1], bass: values[2],
      spelling: NoteSpelling(rawValue: spelling) ?? .automatic)
  }

  public var description: String {
    let quality = ChordQuality.all[quality]
    let name = spelling.name(ofRoot: root, quality)
    let chord = name + quality.symbol
    if bass == root { return chord }
    return chord + "/" + spelling.name(ofBass: bass, above: root, called: name, quality)
  }
}
