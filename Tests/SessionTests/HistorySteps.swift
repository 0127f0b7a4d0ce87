// Undo and redo of any step of a history.

@testable import Session
@testable import SessionModel

extension SessionStep {
  /// The structures before and after the step; nil for other changes.
  var structures: (before: KeptStructure, after: KeptStructure)? {
    guard case .structure(let before, let after)? = edits.first else { return nil }
    return (before, after)
  }
}

extension SessionHistory {
  func takeBack(_ restore: (SessionStep) async throws -> Void) async throws -> SessionStep? {
    guard let step = next(isUndo: true) else { return nil }
    try await restore(step)
    didUndo(step)
    return step
  }

  func redo(_ restore: (SessionStep) async throws -> Void) async throws -> SessionStep? {
    guard let step = next(isUndo: false) else { return nil }
    try await restore(step)
    didRedo(step)
    return step
  }
}
