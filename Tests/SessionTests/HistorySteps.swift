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
    guard let step = next(isUndo: true), try await takeBack(step, restore) else { return nil }
    return step
  }

  func redo(_ restore: (SessionStep) async throws -> Void) async throws -> SessionStep? {
    guard let step = next(isUndo: false), try await redo(step, restore) else { return nil }
    return step
  }
}
