// Several commands as one change.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Maximum number of commands in one change.
  static let mostTogether = 256

  /// Executes commands at one frame: values of parameters, or units and connections.
  ///
  /// - Parameter frame: nil for a frame that is soon (values), or for the next cycle (structure).
  func together(
    _ commands: [SessionCommand], frame: Int64?
  ) throws(SessionCommandError) -> Outcome {
    guard (1...Self.mostTogether).contains(commands.count) else {
      throw SessionCommandError(
        "\(commands.count) commands together", accepted: "1 to \(Self.mostTogether)")
    }
    let effects = Set(commands.map(\.effect))
    switch effects {
    case [.value]: return try setTogether(commands, frame: frame)
    case [.structure]: return try restructure(commands, frame: frame)
    default:
      throw SessionCommandError(
        effects.isSubset(of: [.value, .structure])
          ? "values cannot be combined with units, connections or mappings"
          : "a command that cannot be combined",
        accepted: SessionCommand.names(.value) + ", several times; or "
          + SessionCommand.names(.structure))
    }
  }

  static let hasOwnFrame = SessionCommandError("a frame of its own", accepted: "one for all")

  private func setTogether(
    _ commands: [SessionCommand], frame wanted: Int64?
  ) throws(SessionCommandError) -> Outcome {
    if let wanted { try check(frame: wanted) }
    if try postpone(.together(commands, frame: wanted), to: wanted) {
      return .done(wanted.map { .frame($0) } ?? .done)
    }
    var values: [SetValue] = []
    for (index, command) in commands.enumerated() {
      guard case .set(let path, let value, let ramp, let own, _) = command else { continue }
      do throws(SessionCommandError) {
        if own != nil { throw Self.hasOwnFrame }
        values.append(try readTimed(path, value, rampMilliseconds: ramp ?? 0))
      } catch { throw SessionCommandError(error, of: index + 1) }
    }
    let now = status()
    // Late enough for all events to arrive before the frame.
    let lead = Int64((sampleRate ?? 0) / 50) + 2 * Int64(now.period ?? 0)
    let soon = (now.frame ?? 0) + lead
    let frame = max(wanted ?? 0, soon)
    try maker.commit(
      SessionStep(together: steps(values, at: frame)), at: frame, from: .known(frame))
    if let wanted, wanted > soon { return .done(.frame(frame)) }
    let wait = Double(lead) / max(sampleRate ?? 1, 1)
    // An undo must not take effect before it.
    return later("values together", Claims([.history])) { [time] in
      try await time.sleep(for: .seconds(wait))
      return .frame(frame)
    }
  }

  /// Returns the change by each value. A parameter may occur more than once.
  private func steps(_ values: [SetValue], at frame: Int64) -> [SessionStep] {
    var last: [SessionPath: Float] = [:]
    return values.map { value in
      let path = SessionPath(unit: value.id, keyPath: value.parameter.keyPath)
      defer { last[path] = value.number }
      return step(value, before: last[path], frame: frame)
    }
  }
}
