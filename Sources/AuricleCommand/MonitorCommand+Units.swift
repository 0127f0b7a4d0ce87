// auricle monitor --unit

import ControlSocket
import Remotes
import SessionModel
import Tools

extension MonitorCommand {
  /// Prints the MIDI of a running session's units, until a signal or the end of the session.
  func monitorUnits(_ filter: MonitorFilter) throws {
    let session = try ControlOptions.failing {
      let session = try ControlClient(session: self.session)
      _ = try ControlOptions.ask(session, .watch(paths: [], midi: units))
      return session
    }
    let all = units.contains("*") ? "all units" : units.joined(separator: ", ")
    StandardError.write("auricle: listens to \(all) of \(session.session)")
    // "received" is the longer word.
    let format = MonitorFormat(json: json)
    var width = units.map { $0.count + " received".count }.max() ?? 0
    while true {
      let notice = try ControlOptions.failing {
        try SessionWire.notice(try session.nextLine(isPatient: true))
      }
      guard case .midi(let reading)? = notice else { continue }
      width = max(width, reading.units.keys.map { $0.count + " received".count }.max() ?? 0)
      for event in MonitoredEvent.events(of: reading) where filter.shows(event.message) {
        try StandardOutput.writeData(format.text(event, sourceWidth: width), needsReader: true)
      }
      for (id, unit) in reading.units.sorted(by: { $0.key < $1.key }) where unit.lost > 0 {
        StandardError.write(
          "auricle: warning: \(id): \(unit.lost) MIDI events are not shown, because more arrived "
            + "than could be sent")
      }
    }
  }
}
