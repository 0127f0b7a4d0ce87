// Commands for future frames.

import SessionModel
import UnitModel

extension SessionControl {
  /// Checks a command whose frame is not near yet, and adds it to the agenda.
  ///
  /// - Parameter frame: nil for a command that takes effect at once.
  /// - Returns: false for a command to be executed now.
  /// - Throws: the mistake in it, as if it were executed now.
  func postpone(
    _ command: SessionCommand, to frame: Int64?
  ) throws(SessionCommandError) -> Bool {
    guard let frame, let now = clock(), EditFrame.seconds(until: frame, now) > 0 else {
      return false
    }
    let texts = try checked(command)
    try agenda.add(
      SessionAgenda.Item(
        frame: frame, command: command, path: texts.first?.path ?? "",
        text: SessionStep.text(texts.map(\.text)), count: texts.count, author: .current))
    return true
  }

  /// Checks a command, and returns descriptions of the settings that it makes.
  private func checked(
    _ command: SessionCommand
  ) throws(SessionCommandError) -> [(path: String, text: String)] {
    switch command {
    case .set(let path, let value, let ramp, _, _):
      let value = try readTimed(path, value, rampMilliseconds: ramp ?? 0)
      let place = SessionPath(unit: value.id, keyPath: value.parameter.keyPath).text
      return [(place, "\(place) to \(value.parameter.string(fromValue: value.number))")]
    case .entry(let id, let entry, _):
      let number = try self.entry(entry, of: id).number
      return [(id, "\(id): entry \(number)")]
    case .together(let commands, _):
      var texts: [(path: String, text: String)] = []
      for (index, command) in commands.enumerated() {
        do throws(SessionCommandError) {
          if case .set(_, _, _, _?, _) = command { throw Self.hasOwnFrame }
          texts += try checked(command)
        } catch {
          throw SessionCommandError(error, of: index + 1)
        }
      }
      return texts
    default: return []
    }
  }
}

extension JackSession {
  /// Executes the commands whose frames are near.
  func executeAgenda() {
    guard let now = clock() else { return }
    for item in agenda.takeNear(now) {
      execute(
        SessionRequest(
          command: item.command,
          answer: { [log] in
            guard case .failure(let error) = $0 else { return }
            log.warning("\(item.text) on frame \(item.frame) cannot be: \(error)")
          }, notify: { _ in }, whenGone: { _ in }, author: item.author, isLogged: false))
    }
  }

  /// Refuses the commands for frames that are not counted any more.
  func refuseAgenda() {
    let items = agenda.removeAll()
    if items.isEmpty { return }
    for item in items {
      history.journal.add(
        "\(item.text) on frame \(item.frame): refused, the server has gone", path: item.path,
        .none, by: item.author)
    }
    let texts = items.map { "\($0.text) on frame \($0.frame)" }
    log.warning("refused, because the server has gone: \(SessionStep.text(texts))")
  }
}
