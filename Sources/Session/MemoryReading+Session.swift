// Memory held by a session.

import SessionModel
import UnitModel

extension MemoryReading {
  /// - Thread: [control]
  init(_ history: SessionHistory, _ units: [AudioUnit]) {
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
    let (soundFonts, sounds, responses) = (sum(.soundFonts), sum(.sounds), sum(.responses))
    self.init(
      undo: history.byteCount,
      removedUnits: held(history.withUnits(\.idle)).reduce(0) { $0 + $1.byteCount },
      soundFonts: soundFonts, sounds: sounds, responses: responses)
  }
}
