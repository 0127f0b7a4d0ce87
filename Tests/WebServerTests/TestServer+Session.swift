// A session beside a server.

import Remotes
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

extension TestServer {
  /// Runs the session "stage", and ends it afterwards.
  ///
  /// - Parameter configuration: its lines. The folder has "a.sf2", a SoundFont with an endless
  ///   sound.
  func withSession(
    _ configuration: String, osc: SessionOSC? = nil, components: [Component] = [],
    _ body: (SteppedSession) async throws -> Void
  ) async throws {
    let socket = try SessionSocket(name: "stage", in: folder)
    defer { socket.close() }
    try SoundFontMaker.endless().write(to: directory.file("a.sf2"))
    let session = try await SteppedSession(
      directory.write(configuration, to: "session.toml"),
      environment: ["XDG_DATA_HOME": directory.url.path], socket: socket, osc: osc,
      components: components)
    try await body(session)
    #expect(await session.end() == nil)
  }
}
