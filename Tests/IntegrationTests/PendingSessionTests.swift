// A change of a running session that waits holds up nobody else.

import ControlSocket
import Foundation
import MediaFiles
import TestSupport
import Testing

@testable import Session

@Suite(.serialized) struct PendingSessionTests {
  private let rig: ControlRig
  private let pipe: String

  private static let configuration = """
    [client]
    name = "patient"
    [[unit]]
    id = "lowpass"
    component = "filter"
    parameters = { cutoff = 900.0 }
    [[unit]]
    id = "second"
    component = "filter"
    [[connect]]
    from = "lowpass:1"
    to = "second:1"
    """

  init() throws {
    rig = try ControlRig()
    pipe = rig.directory.file("pipe.wav").path
    #expect(mkfifo(pipe, 0o600) == 0)
  }

  /// What others ask for while something is pending; all of it is answered.
  private func changeOthers() async throws {
    _ = try await rig.ctl("set", "lowpass/cutoff", "1234")
    _ = try await rig.ctl("bypass", "second", "on")
    #expect(try await rig.ctl("undo").contains("second: bypass on"))
    #expect(try await rig.ctl("undo").contains("lowpass/cutoff from 900 to 1234"))
    #expect(try await rig.ctl("redo").contains("lowpass/cutoff"))
    _ = try await rig.ctl("disconnect", "lowpass:1", "second:1")
    _ = try await rig.ctl("add", "third", "filter")
    _ = try await rig.ctl("connect", "lowpass:1", "third:1")
    _ = try await rig.ctl("scene", "save", "one")
    _ = try await rig.ctl("scene", "load", "one")
    _ = try await rig.ctl("preset", "load", "third", "Warm")
    _ = try await rig.ctl("save", rig.directory.file("saved.toml").path)
  }

  private var saved: String {
    (try? String(contentsOf: rig.directory.file("saved.toml"), encoding: .utf8)) ?? ""
  }

  @Test func aFileThatHangsHoldsUpNoOtherChange() async throws {
    let server = try await JackServer.start()
    let session = try await rig.run(Self.configuration, on: server)
    let asking = try rig.start(["add", "tune", "player", "file=\(pipe)"])
    #expect(await eventually { rig.isPending("tune: added") })
    #expect(try await rig.ctl("status").contains("pending tune: added, for "))
    try await changeOthers()
    #expect(asking.isRunning)
    #expect(saved.contains("third") && !saved.contains("tune"))
    // Once it comes, it comes into the session as that is by now.
    let writer = try AudioFileWriter(
      url: rig.directory.file("tone.wav"), sampleRate: 48_000, channelCount: 1)
    try writer.write([Signal.noise(frames: 1000, seed: 1, amplitude: 0.5)])
    try writer.finish()
    let feeder = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "cat '\(rig.directory.file("tone.wav").path)' >'\(pipe)'"])
    #expect(try await asking.wait() == .exited(0), "\(asking.transcript)")
    #expect(try await feeder.wait() == .exited(0))
    let units = try await rig.ctl("list")
    for id in ["lowpass", "second", "third", "tune"] { #expect(units.contains(id)) }
    #expect(try await rig.ctl("undo").contains("tune: added"))
    #expect(!(try await rig.ctl("list").contains("tune")))
    #expect(try #require(try rig.status()).pending == nil)
    try await session.expectEnd()
  }

  @Test func aConnectionOfALaterFrameHoldsUpNoOtherChange() async throws {
    let server = try await JackServer.start()
    let session = try await rig.run(Self.configuration, on: server)
    let frame = try #require(try rig.status()?.frame) + 50 * 48_000
    let asking = try rig.start(["disconnect", "lowpass:1", "second:1", "--at", "\(frame)"])
    let text = "lowpass:1 disconnected from second:1 on frame \(frame)"
    #expect(await eventually { rig.isPending(text) })
    try await changeOthers()
    #expect(asking.isRunning)
    // What it is about has become another: it is refused then, and not before.
    asking.signal(SIGKILL)
    _ = try await asking.wait()
    try await session.expectEnd()
  }
}
