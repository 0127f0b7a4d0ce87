// Gestures on controllers, for the journal.

import ControlUnit
import SessionModel
import UnitModel

/// The parameters that controllers are moving. A gesture ends when its control has rested for 1 s,
/// or when a command is about to change the same parameter.
struct PlayedGestures {
  struct Gesture {
    let parameter: Parameter
    let before: Float
    let firstFrame: Int64
    var lastFrame: Int64
    fileprivate var lastSeen: ContinuousClock.Instant
  }

  /// Rest of a control after which its gesture has ended.
  static let rest = Duration.seconds(1)

  private var gestures: [SessionPath: Gesture] = [:]

  /// - Parameter before: the parameter's value before the move.
  mutating func note(
    _ move: ControlMove, of parameter: Parameter, at path: SessionPath, from before: Float,
    now: ContinuousClock.Instant
  ) {
    var gesture =
      gestures[path]
      ?? Gesture(
        parameter: parameter, before: before, firstFrame: move.firstFrame,
        lastFrame: move.lastFrame, lastSeen: now)
    (gesture.lastFrame, gesture.lastSeen) = (move.lastFrame, now)
    gestures[path] = gesture
  }

  /// Removes and returns the gestures that have ended, by their first frames.
  mutating func takeRested(now: ContinuousClock.Instant) -> [(path: SessionPath, Gesture)] {
    take { $1.lastSeen + Self.rest <= now }
  }

  /// Removes and returns the gestures that must not be mixed with a change.
  ///
  /// - Parameter path: the path of the change; nil for all.
  mutating func take(before path: SessionPath?) -> [(path: SessionPath, Gesture)] {
    take { own, _ in path == nil || own == path }
  }

  private mutating func take(
    _ isWanted: (SessionPath, Gesture) -> Bool
  ) -> [(path: SessionPath, Gesture)] {
    let taken = gestures.filter { isWanted($0.key, $0.value) }
    for path in taken.keys { gestures[path] = nil }
    return taken.map { (path: $0.key, $0.value) }.sorted { $0.1.firstFrame < $1.1.firstFrame }
  }
}

extension JackSession {
  /// Takes the moves of controllers, and adds gestures that have ended to the journal.
  func followPlayed() {
    if let control = plan.controlNode?.unit as? ControlUnit {
      for move in control.takeMoves() { note(move) }
    }
    reportPlayed(played.takeRested(now: time.now))
  }

  private func note(_ move: ControlMove) {
    guard let (id, unit) = plan.units.first(where: { $0.unit === move.unit }),
      let parameter = unit.parameterTree.parameter(address: move.address)
    else { return }
    let path = SessionPath(unit: id, keyPath: parameter.keyPath)
    history.notePlayed(path.text)
    played.note(
      move, of: parameter, at: path,
      from: controllerMemory.value(of: path) ?? parameter.value, now: time.now)
  }

  /// Adds the gestures played before a command to the journal.
  func reportPlayed(before command: SessionCommand) {
    switch command {
    case .list, .get, .watch, .mappings, .status: break
    case .set(let path, _, _, _, _): reportPlayed(played.take(before: SessionPath(path)))
    default: reportPlayed(played.take(before: nil))
    }
  }

  private func reportPlayed(_ gestures: [(path: SessionPath, PlayedGestures.Gesture)]) {
    for (path, gesture) in gestures {
      let parameter = gesture.parameter
      history.journal.add(
        "\(path.text) from \(parameter.string(fromValue: gesture.before)) to "
          + parameter.string(fromValue: parameter.value),
        path: path.text, .known(gesture.firstFrame), to: gesture.lastFrame, by: .controller,
        line: ChangeCommand(
          .set(path: path.text, value: UnitDocument.text(parameter.value, of: parameter))))
    }
  }
}
