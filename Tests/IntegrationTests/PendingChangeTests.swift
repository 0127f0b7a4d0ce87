// A change that waits holds up nobody else.

import Configuration
import ControlSocket
import FilterUnit
import Foundation
import MediaFiles
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit
@testable import Session

@Suite(.serialized) struct PendingChangeTests {
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
    #expect(await eventually { isPending("tune: added") })
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
    #expect(try #require(try status()).pending == nil)
    try await session.expectEnd()
  }

  private func status() throws -> SessionStatus? {
    let client = try rig.connect()
    try client.send(SessionLine.encode(.status))
    let line = try client.nextLine(isPatient: true)
    guard case .status(let status) = try SessionLine.answer(line) else { return nil }
    return status
  }

  private func isPending(_ text: String) -> Bool {
    (try? status())?.pending?.contains { $0.text == text } ?? false
  }

  @Test func aConnectionOfALaterFrameHoldsUpNoOtherChange() async throws {
    let server = try await JackServer.start()
    let session = try await rig.run(Self.configuration, on: server)
    let frame = try #require(try status()?.frame) + 50 * 48_000
    let asking = try rig.start(["disconnect", "lowpass:1", "second:1", "--at", "\(frame)"])
    let text = "lowpass:1 disconnected from second:1 on frame \(frame)"
    #expect(await eventually { isPending(text) })
    try await changeOthers()
    #expect(asking.isRunning)
    // What it is about has become another: it is refused then, and not before.
    asking.signal(SIGKILL)
    _ = try await asking.wait()
    try await session.expectEnd()
  }

  /// A unit that is taken away takes what was being loaded for it along.
  @Test func whatIsBegunForAUnitThatIsReplacedIsRefused() async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(Configurations.filter(), to: "a.toml")
    let rig = try await DocumentRig(file)
    var control = rig.control
    control.editor = SessionEditor([("lowpass", try FilterUnit())])
    let command = SessionCommand.preset(unit: "lowpass", .load("Warm"))
    guard case .later(let late) = try control.carryOut(command) else {
      Issue.record("it is done at once")
      return
    }
    let result = await late.work()
    #expect("\(result)".contains("unit 'lowpass' was removed or replaced meanwhile"))
  }

  /// What a sampler makes ready waits beside the thread that runs the session.
  @Test(.timeLimit(.minutes(1))) func aNumberOfVoicesWaitsForTheFontBesideTheSession()
    async throws
  {
    let folder = try TemporaryDirectory()
    let zone = SoundFontMaker.Zone(sample: .constant())
    try SoundFontMaker(presets: [.init(name: "One", zones: [zone])]).write(
      to: folder.file("a.sf2"))
    let file = try folder.write(
      "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\nsoundfont = \"a.sf2\"\n", to: "a.toml")
    let rig = try await DocumentRig(file)
    let sampler = try #require(rig.control.units[0].unit as? SamplerUnit)
    let before = try #require(rig.values["piano/polyphony"])
    let end = DispatchSemaphore(value: 0)
    sampler.bay.queue.async { end.wait() }
    let command = SessionCommand.set(path: "piano/polyphony", value: .number(64))
    guard case .later(let late) = try rig.control.carryOut(command) else {
      Issue.record("the session waits for it")
      return
    }
    #expect(late.claims.wait(for: .sound(of: "piano")))
    #expect(rig.values["piano/polyphony"] == before)
    end.signal()
    _ = try await late.work().get()
    #expect(rig.values["piano/polyphony"] == 64)
    guard case .changes(let changes) = try await rig.ask(.undo(steps: 1)) else { return }
    #expect(changes.map(\.text) == ["piano/polyphony from \(Int(before)) to 64"])
    #expect(rig.values["piano/polyphony"] == before)
  }

  /// What comes while an undo waits for its unit is taken back first.
  @Test(.timeLimit(.minutes(1))) func anUndoThatWaitsTakesBackWhatIsLastByThen() async throws {
    let folder = try TemporaryDirectory()
    let rig = try await DocumentRig(try folder.write(Configurations.filter(), to: "a.toml"))
    try await rig.ask(.preset(unit: "lowpass", .load("Warm")))
    let (late, end) = (rig.control.late, DispatchSemaphore(value: 0))
    late.begin("a load", .sound(of: "lowpass")) { end.wait() }
    guard case .later(let undo) = try rig.control.carryOut(.undo(steps: 1)) else { return }
    let undone = Task { await undo.work() }
    #expect(await eventually { late.count == 2 })
    try await rig.ask(.set(path: "lowpass/resonance", value: .number(3)))
    end.signal()
    guard case .changes(let changes) = try await undone.value.get() else { return }
    #expect(changes.map(\.path) == ["lowpass/resonance"])
    #expect(rig.control.history.counts == (1, 1))
  }

  /// What a session becomes while it is saved stays.
  @Test func whatIsBuiltWhileASessionIsSavedIsNotForgotten() async throws {
    let folder = try TemporaryDirectory()
    let zone = SoundFontMaker.Zone(sample: .constant())
    try SoundFontMaker(presets: [.init(name: "One", zones: [zone])]).write(
      to: folder.file("a.sf2"))
    let text = "[[unit]]\nid = \"piano\"\ncomponent = \"sampler\"\nsoundfont = \"a.sf2\"\n"
    let rig = try await DocumentRig(try folder.write(text, to: "a.toml"))
    let store = try #require(rig.control.store)
    let origin = store.origin
    let place = folder.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let document = try #require(rig.document)
    let saved = try store.write(
      document, of: origin, to: place.appendingPathComponent("b.toml").path)
    let added = try SessionConfiguration(
      toml: text.replacing("piano", with: "organ"), file: "a.toml",
      kinds: origin.registry.configurableUnits
    ).units[0]
    var structure = try #require(SessionStructure(origin.configuration, rig.control.units))
    structure.units.append(.init(configuration: added, unit: try SamplerUnit()))
    store.adopt(structure)
    store.didSave(saved, of: origin)
    #expect(store.origin.configuration.units.map(\.id.value) == ["piano", "organ"])
    #expect(store.file?.lastPathComponent == "b.toml")
    #expect(
      Set(store.origin.files.map { $0.file.url.standardizedFileURL.path })
        == [folder.file("a.sf2").standardizedFileURL.path])
  }
}
