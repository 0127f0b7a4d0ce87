// Notices of the chords that a session's units recognise.

import Graph
import MIDIStagesModel
import SessionModel
import UnitModel

/// Watches the chord stages of a graph's units.
struct ChordWatch {
  private struct Stage {
    let unit: AudioUnit
    let id: String
    let keyPath: String
    var seen: ChordName?
    var reported: ChordName?
  }

  private var stages: [Stage] = []

  init(_ graph: Graph) {
    for node in graph.nodes {
      guard let layout = (node.unit as? any MIDIChainUnit)?.midiLayout else { continue }
      for stage in layout.stages where stage.kind == .chord {
        stages.append(Stage(unit: node.unit, id: node.id, keyPath: stage.keyPath))
      }
    }
  }

  /// Returns the chords found in both this look and the last, unless already reported. Chords of
  /// fingers still moving are left out.
  mutating func news() -> [String] {
    var lines: [String] = []
    for index in stages.indices {
      let found = ChordName(foundBy: stages[index].keyPath, in: stages[index].unit.parameterTree)
      let isSettled = found == stages[index].seen
      stages[index].seen = found
      guard isSettled, found != stages[index].reported else { continue }
      stages[index].reported = found
      if let found { lines.append("\(stages[index].id): \(found)") }
    }
    return lines
  }
}
