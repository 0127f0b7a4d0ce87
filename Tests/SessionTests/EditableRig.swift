// A session whose units and connections can change where no server is.

import Configuration
import UnitModel

@testable import Session
@testable import SessionModel

/// The plan of a session that nothing renders, edited as `JackSession` does.
private final class EditedPlan: @unchecked Sendable {
  // Edits come one after the other.
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
  /// Has edits carried out at once, by whoever brings them.
  ///
  /// - Parameter restructure: gives the session another structure.
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
  /// One whose structure changes at once.
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

  /// Carries a command out on the units as they are now.
  @discardableResult
  func ask(now command: SessionCommand) async throws -> SessionAnswer {
    var rig = self
    rig.control = SessionControl(
      units: running, sampleRate: nil, endOutside: control.endOutside, status: control.status,
      store: control.store, history: control.history, editor: control.editor,
      late: control.late)
    return try await rig.ask(command)
  }

  /// The units as they are now.
  var running: [(id: String, unit: AudioUnit)] { control.running() }
}
