// A session that follows a file, without a server.

import BuiltInUnits
import Configuration
import Foundation
import Logging
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// A session and its file, which tests write and the session follows.
struct FollowedRig {
  let file: URL
  let session: DocumentRig
  let follower: SessionFollower
  let messages = RecentNotices()

  /// - Parameter others: components in addition to the built-in ones and `SceneUnit`.
  init(
    _ text: String, in folder: TemporaryDirectory, _ others: Component...,
    settings: [UnitSetting] = []
  ) async throws {
    file = try folder.write(text, to: "session.toml")
    let registry = try BuiltInComponents.makeRegistry()
    for component in [SceneUnit.component] + others { try registry.register(component) }
    var builder = SessionBuilder(registry: registry)
    builder.settings = settings
    session = DocumentRig.editable(try await builder.build(contentsOf: file))
    follower = SessionFollower(
      store: try #require(session.control.store), history: session.control.history,
      editor: try #require(session.control.editor), late: session.control.late,
      rendersNow: false, log: messages.recording(Logger(label: "test")))
  }

  func write(_ text: String) async throws {
    try Data(text.utf8).write(to: file)
    await follower.follow(file)
  }

  /// Writes the file, and begins to follow it as a running session does.
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

  /// The session as it would be saved.
  var text: String {
    session.control.store?.document(units: session.running).configuration.toml ?? ""
  }
}
