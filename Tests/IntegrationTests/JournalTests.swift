// `auricle ctl journal`, and a session without a server.

import Foundation
import Remotes
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct JournalTests {
  @Test func changesAreListedInLinesAndInJSON() async throws {
    let rig = try ControlRig()
    let socket = try SessionSocket(name: "told", in: rig.folder)
    defer { socket.close() }
    let file = try rig.directory.write(Configurations.filter(), to: "session.toml")
    let session = try await SteppedSession(file, socket: socket)
    #expect(try await rig.ctl("journal") == "")
    await session.step(4_800)
    _ = try await rig.ctl("bypass", "lowpass", "on")
    await session.step(4_800)
    _ = try await rig.ctl("set", "lowpass/cutoff", "300")
    await session.step(4_800)
    _ = try await rig.ctl("undo")
    await session.step(4_800)
    let changes = try await session.journal()
    let frames = changes.compactMap(\.frame)
    try #require(frames.count == 3, "\(changes)")
    #expect(
      try await rig.ctl("journal") == """
        0:  \(frames[0])   ctl   lowpass: bypass on
        1:  \(frames[1])   ctl   lowpass/cutoff from 900 to 300
        2:  \(frames[2])  undo  lowpass/cutoff from 900 to 300

        """)
    let json = try JSONDecoder().decode(
      [String: JournalReading].self,
      from: Data(try await rig.ctl("journal", "--json", "--since", "\(frames[1])").utf8))
    #expect(json["journal"]?.changes == Array(changes.dropFirst()))
    #expect(try await rig.refusal("journal", "--since=-1", status: 2).contains("from 0 on"))
    #expect(try await rig.ctl("undo", "--to=-1") == "undone: lowpass: bypass on\n")
    #expect(try await rig.refusal("undo", "2", "--to", "0", status: 2).contains("one of them"))
    #expect(await session.end() == nil)
  }
}
