// Steps of a history, taken back and made again whatever they are.

@testable import Session
@testable import SessionModel

extension SessionStep {
  /// The structures that it leads from and to; nil for another change.
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
