// A session without a server whose units and connections can change.

import Configuration
import UnitModel

@testable import Session
@testable import SessionModel

/// The plan of a session without rendering, edited as `JackSession` does.
private final class EditedPlan: @unchecked Sendable {
  // Edits follow one another.
  private var plan: SessionPlan
  private let store: SessionStore
  private weak var editor: SessionEditor?

  init(_ plan: SessionPlan, _ store: SessionStore, _ editor: SessionEditor) {
    (self.plan, self.store, self.editor) = (plan, store, editor)
  }

  func execute(_ edit: SessionEdit, _ structure: SessionStructure) {
    do {
      let next = try plan.following(structure)
      try next.graph.check()
      if edit.isTrial { return edit.finish(nil) }
      try edit.first?.make()
      plan = next
      next.applyMappings()
      editor?.setUnits(next.units)
      store.adopt(structure)
      edit.finish(nil)
    } catch { edit.refuse(error) }
  }
}

extension SessionEditor {
  /// Executes edits at once, on the thread that posts them.
  ///
  /// - Parameter restructure: applies another structure to the session.
  func executeAtOnce(
    _ restructure: @escaping @Sendable (SessionEdit, SessionStructure) -> Void = { edit, _ in
      edit.finish(nil)
    }
  ) {
    door.open { task in
      guard case .edit(let edit) = task else { return }
      if let structure = edit.structure { restructure(edit, structure) } else { edit.finish(nil) }
    }
  }
}

extension DocumentRig {
  /// Returns a session whose structure changes at once.
  static func editable(_ plan: SessionPlan) -> DocumentRig {
    var rig = DocumentRig(plan)
    let editor = SessionEditor(plan.units)
    if let store = rig.control.store {
      let edited = EditedPlan(plan, store, editor)
      editor.executeAtOnce { edited.execute($0, $1) }
    }
    rig.control.editor = editor
    return rig
  }

  /// Executes a command on the current units.
  @discardableResult
  func ask(now command: SessionCommand) async throws -> SessionAnswer {
    var rig = self
    rig.control = SessionControl(
      units: running, sampleRate: nil, endOutside: control.endOutside, status: control.status,
      store: control.store, history: control.history, editor: control.editor,
      late: control.late)
    return try await rig.ask(command)
  }

  /// The current units.
  var running: [(id: String, unit: AudioUnit)] { control.running() }
}
