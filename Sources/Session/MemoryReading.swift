// How much memory a session holds.

import UnitModel

/// Memory that a session holds beside what it renders with, in bytes.
public struct MemoryReading: Sendable, Hashable, Codable {
  /// Of what can be taken back and made again, with the settings of units that come back by it.
  public var undo: Int
  /// Of units that were removed and are still there, so that they come back at once.
  public var removedUnits: Int
  /// Of the session's units: SoundFonts, estimated; what several have together counts once.
  public var soundFonts: Int
  /// Sounds in memory, and what waits on its way from a disk or to one.
  public var sounds: Int
  /// Measured impulse responses; what several have together counts once.
  public var responses: Int

  /// - Thread: [control]
  init(_ history: SessionHistory, _ units: [AudioUnit]) {
    undo = history.byteCount
    var known: Set<HeldMemory> = []
    func held(_ units: [AudioUnit]) -> [HeldMemory] {
      units.flatMap { ($0 as? any MemoryHolding)?.heldMemory ?? [] }.filter {
        $0.sharedAs == nil || known.insert($0).inserted
      }
    }
    let own = held(units)
    func sum(_ content: HeldMemory.Content) -> Int {
      own.reduce(0) { $1.content == content ? $0 + $1.byteCount : $0 }
    }
    (soundFonts, sounds, responses) = (sum(.soundFonts), sum(.sounds), sum(.responses))
    removedUnits = held(history.withUnits(\.idle)).reduce(0) { $0 + $1.byteCount }
  }
}
