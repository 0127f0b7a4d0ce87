// Notes that a remote control plays.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Plays or ends a note at a unit, as its MIDI input does.
  ///
  /// - Parameter frame: of the session; nil for the next cycle's first.
  /// - Thread: [control]
  package func play(_ note: PlayedNote, at frame: Int64?) throws(SessionCommandError) {
    let unit = try unit(note.unit)
    guard unit.virtualMIDICableCount > 0 else {
      throw SessionCommandError(
        "\(quoted(note.unit)) takes no MIDI",
        accepted: units.filter { $0.unit.virtualMIDICableCount > 0 }.map(\.id))
    }
    do throws(ScheduleError) {
      try unit.scheduleMIDI(note.bytes, at: frame.map { .frame($0) } ?? .immediate)
    } catch { throw SessionCommandError(error.description) }
  }
}
