// A session of a file that is written, without a server.

import BuiltInUnits
import Configuration
import Foundation
import Logging
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// A session of a file, which is written and followed.
struct FollowedRig {
  let file: URL
  let session: DocumentRig
  let follower: SessionFollower
  let messages = RecentNotices()

  /// - Parameter others: components beside those that there are.
  init(_ text: String, in folder: TemporaryDirectory, _ others: Component...) async throws {
    file = try folder.write(text, to: "session.toml")
    let registry = try BuiltInComponents.makeRegistry()
    for component in [SceneUnit.component] + others { try registry.register(component) }
    session = DocumentRig.editable(
      try await SessionBuilder(registry: registry).build(contentsOf: file))
    follower = SessionFollower(
      store: try #require(session.control.store), history: session.control.history,
      editor: try #require(session.control.editor), late: session.control.late,
      rendersNow: false, log: messages.recording(Logger(label: "test")))
  }

  func write(_ text: String) async throws {
    try Data(text.utf8).write(to: file)
    await follower.follow(file)
  }

  /// Written, and followed as a session that runs does it.
  func begin(_ text: String) throws {
    try Data(text.utf8).write(to: file)
    late.begin("the file", Claims([.file])) { [follower, file] in await follower.follow(file) }
  }

  var late: LateWork { session.control.late }

  var lastMessage: String { messages.lines.last?.text ?? "none" }

  func unit(_ id: String) -> AudioUnit? { session.running.first { $0.id == id }?.unit }

  func value(_ id: String, _ keyPath: String) -> Float? {
    unit(id)?.parameterTree.parameter(keyPath: keyPath)?.value
  }

  /// As the session would be saved.
  var text: String {
    session.control.store?.document(units: session.running).configuration.toml ?? ""
  }
}
