// Command lines in the journal.

import Configuration
import SessionModel
import Synchronization
import UnitModel

/// The command line of a request. The first change of the request has it in the journal.
final class ChangeCommand: Sendable {
  /// The line of the request being executed; nil for none.
  @TaskLocal static var current: ChangeCommand?

  private let text: String
  private let isTaken = Atomic(false)
  private let mark = Mutex<UndoMark?>(nil)

  /// - Returns: nil for a command without a line.
  init?(_ command: SessionCommand) {
    guard let text = command.line else { return nil }
    self.text = text
  }

  /// Returns the line to the first caller.
  func take() -> ChangeCommand? {
    isTaken.exchange(true, ordering: .relaxed) ? nil : self
  }

  /// Notes the step of undo that the request's changes belong to.
  func join(_ mark: UndoMark) { self.mark.withLock { $0 = mark } }

  /// The line; nil while its change is undone. A script that leaves it out needs no undo, whose
  /// steps depend on the time between changes.
  var textIfDone: String? {
    mark.withLock { $0?.isUndone.load(ordering: .relaxed) ?? false } ? nil : text
  }
}

/// Whether a step of undo is undone.
final class UndoMark: Sendable {
  let isUndone = Atomic(false)
}

extension SessionControl {
  /// Returns the line of a command; nil for a command without one.
  func line(of command: SessionCommand) -> ChangeCommand? { ChangeCommand(named(command)) }

  /// Returns a command whose numbers a shell may send as texts: one that would be the name of
  /// another value becomes a name.
  private func named(_ command: SessionCommand) -> SessionCommand {
    switch command {
    case .set(let path, .number(let number), let ramp, let frame, let reportsFrame):
      guard let (_, parameter) = try? parameter(at: path), !parameter.valueStrings.isEmpty else {
        return command
      }
      return .set(
        path: path, value: UnitDocument.text(Float(number), of: parameter),
        rampMilliseconds: ramp, frame: frame, reportsFrame: reportsFrame)
    case .together(let commands, let frame): return .together(commands.map(named), frame: frame)
    default: return command
    }
  }
}
