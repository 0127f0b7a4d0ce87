// A session with a sampler that plays an endless sound.

import ControlSocket
import SessionTestSupport
import TestSupport

@testable import Remotes
@testable import Session
@testable import SessionModel

/// Sessions with a sampler, `keys`, whose sound lasts as long as its key, and a filter, `lowpass`.
struct KeysRig {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A folder for a session's socket.
  var socketFolder: ControlFolder {
    ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
  }

  func run(_ socket: SessionSocket? = nil, osc: SessionOSC? = nil) async throws -> SteppedSession {
    try SoundFontMaker.endless().write(to: directory.file("a.sf2"))
    return try await SteppedSession(
      directory.write(
        """
        [[unit]]
        id = "keys"
        component = "sampler"
        soundfont = "a.sf2"
        [[unit]]
        id = "lowpass"
        component = "filter"
        """, to: "session.toml"), socket: socket, osc: osc)
  }

  /// Steps until the sampler has a number of voices.
  func hasVoices(_ count: Int, _ session: SteppedSession) async -> Bool {
    await session.step(until: {
      guard case .status(let status)? = try? await session.askAtOnce(.status) else { return false }
      return status.unitStatus?.first?.voices == count
    })
  }
}
