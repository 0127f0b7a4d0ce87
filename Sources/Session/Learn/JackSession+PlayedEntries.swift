// Entries of live sets selected by program changes, for the journal.

import Configuration
import SessionModel
import UnitModel

extension JackSession {
  /// Adds the entries that program changes have selected to the journal, those of all units by
  /// their frames.
  func followPlayedEntries() {
    var played: [(id: String, entry: PlayedEntry, text: String)] = []
    for (id, unit) in plan.units {
      guard let unit = unit as? any EntrySelecting else { continue }
      let taken = unit.takePlayedEntries()
      if taken.isEmpty { continue }
      let entries: [any SelectableEntry] = unit.entries
      history.notePlayed(entryOf: id, setting: Set(entries.flatMap(\.parameters.keys)))
      for entry in taken {
        let name = entries.first { $0.number == entry.number }?.name
        played.append((id, entry, name.map { " \(quoted($0))" } ?? ""))
      }
    }
    for (id, entry, name) in played.sorted(by: { $0.entry.frame < $1.entry.frame }) {
      history.journal.add(
        "\(id): entry \(entry.number)\(name)", path: id, .known(entry.frame), by: .controller,
        line: ChangeCommand(.entry(unit: id, .number(entry.number))))
    }
  }
}
