// Unsaved changes of a session, recovered after the end of its process.

import BuiltInUnits
import Configuration
import Files
import Foundation
import SamplerUnit
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// One run of a session's file, without a server.
private final class Run {
  let rig: DocumentRig
  let recovery: SessionRecovery
  let log: LogRecorder

  init(
    _ file: URL, state: URL, _ choice: RecoveryOption = .report, interval: Int = 30,
    log: LogRecorder = LogRecorder()
  ) async throws {
    self.log = log
    recovery = SessionRecovery(
      intervalSeconds: interval, log: log.logger,
      environment: ["XDG_STATE_HOME": state.path, "HOME": "/none"])
    let builder = SessionBuilder(registry: try BuiltInComponents.makeRegistry())
    rig = DocumentRig(try await recovery.build(file, by: builder, choice))
    if rig.plan.isRecovered { history.didRecover() }
  }

  var history: SessionHistory { rig.control.history }
  var store: SessionStore { rig.control.store! }

  func set(_ path: String, _ value: Double) async throws {
    try await rig.ask(.set(path: path, value: .number(value)))
  }

  func keep() { recovery.keep(store, history, rig.control.units, store.origin) }
  func end() { recovery.end(store, history, rig.control.units) }
}

@Suite struct SessionRecoveryTests {
  private let folder: TemporaryDirectory
  private let file: URL
  private let source = """
    # mine
    [[unit]]
    id = "lowpass"
    component = "filter"
    parameters = { cutoff = 900.0 }

    """

  init() throws {
    folder = try TemporaryDirectory()
    file = try folder.write(source, to: "songs/my song.toml")
  }

  private var state: URL { folder.file("state") }

  /// Sorted names of all files in the recovery folders, without `.lock`.
  private var kept: [String] {
    let all = FileManager.default.enumerator(
      at: state, includingPropertiesForKeys: [.isDirectoryKey])
    return (all?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
      .map(\.lastPathComponent).filter { $0 != ".lock" }.sorted()
  }

  private func kept(_ name: String) throws -> URL {
    let all = FileManager.default.enumerator(at: state, includingPropertiesForKeys: nil)
    return try #require(all?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name })
  }

  private func start(
    _ choice: RecoveryOption = .report, _ file: URL? = nil, interval: Int = 30
  ) async throws -> Run {
    try await Run(file ?? self.file, state: state, choice, interval: interval)
  }

  /// Leaves a recovery of a changed value, like a run that is killed.
  private func crash(cutoff: Double) async throws {
    let run = try await start()
    try await run.set("lowpass/cutoff", cutoff)
    run.keep()
  }

  /// Leaves a recovery of a changed value and a unit added by hand.
  private func crashWithAUnit() async throws {
    let run = try await start()
    let rig = DocumentRig.editable(run.rig.plan)
    try await rig.ask(.add(unit: "own", component: "delay"))
    try await rig.ask(now: .set(path: "lowpass/cutoff", value: .number(1500)))
    let store = try #require(rig.control.store)
    run.recovery.keep(store, rig.control.history, rig.running, store.origin)
  }

  // MARK: After a crash

  /// With relative SoundFonts, entries changed by hand, and states next to the TOML.
  @Test func recoveredChangesAreRestoredAndSavedAsUsual() async throws {
    for (name, level) in [("a", 0.0), ("b", 12)] {
      let zone = SoundFontMaker.Zone(sample: .constant(), attenuationDecibels: level)
      try FileManager.default.createDirectory(
        at: folder.file("songs/fonts"), withIntermediateDirectories: true)
      try SoundFontMaker(presets: [
        .init(name: "One", zones: [zone]), .init(program: 1, name: "Two", zones: [zone]),
      ]).write(to: folder.file("songs/fonts/\(name).sf2"))
    }
    try Data(
      """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "fonts/a.sf2"
      [[unit.entry]]
      number = 0
      name = "zero"
      parameters = { pan = 10, gain = -3 }
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "fonts/a.sf2"
      midi = [ { stage = "transpose", semitones = 1 } ]
      [[unit]]
      id = "lowpass"
      component = "filter"
      preset = "Warm"
      [[connect]]
      from = "piano"
      to = "lowpass"
      """.utf8
    ).write(to: file)
    let before = try Data(contentsOf: file)
    var run: Run? = try await start()
    #expect(run?.log.text == "")
    try await run?.set("keys/gain", -9)
    try await run?.set("piano/midi/transpose/semitones", 7)
    try await run?.set("lowpass/cutoff", 1234.5)
    try await run?.rig.ask(.bypass(unit: "lowpass", isOn: true))
    try await run?.rig.ask(
      .soundFont(unit: "piano", file: folder.file("songs/fonts/b.sf2").path, program: 1))
    run?.keep()
    let document = try #require(run?.rig.document)
    let values = try #require(run?.rig.values)
    #expect(document.states.count == 1 && kept.contains { $0.hasSuffix(".aupreset") }, "\(kept)")
    #expect(run?.log.text == "")
    run = nil
    #expect(try Data(contentsOf: file) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("songs").path)
    #expect(names.sorted() == ["fonts", "my song.toml"])

    let told = try await start()
    let path = "'\(file.path)'"
    #expect(told.log.text.hasPrefix("notice: there is a recovery of \(file.path) from 20"))
    #expect(
      told.log.text.hasSuffix(
        ", with changes that were not saved; auricle run \(path) --recover continues with it, "
          + "--discard-recovery deletes it\n"), "\(told.log.text)")
    #expect(told.rig.values["lowpass/cutoff"] != 1234.5 && !told.history.isDirty)

    let again = try await start(.take)
    #expect(again.log.take().contains("which are not saved; auricle ctl save saves them\n"))
    #expect(again.rig.values == values)
    #expect(again.rig.document == document)
    #expect(again.rig.plan.warnings == [])
    #expect(again.history.isDirty)
    try await again.rig.ask(.save(file: nil))
    #expect(!again.history.isDirty)
    again.recovery.dropIfSaved(again.history)
    #expect(kept == [])
    let saved = try await start()
    #expect(saved.log.text == "" && saved.rig.values == values)
    #expect(saved.rig.document?.withoutSums == document.withoutSums)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("\"fonts/a.sf2\"") && text.contains("songs/fonts/b.sf2\""), "\(text)")
  }

  /// An edit of the file after a recovery changes only the edited values.
  @Test func aRecoveredSessionFollowsItsFile() async throws {
    try await crash(cutoff: 1500)
    let run = try await start(.take)
    let edited = source.replacing("cutoff = 900.0", with: "cutoff = 900.0, resonance = 5")
    try Data(edited.utf8).write(to: file)
    let editor = SessionEditor(run.rig.control.units)
    editor.executeAtOnce()
    await SessionFollower(
      store: run.store, history: run.history, editor: editor, late: LateWork(), rendersNow: false,
      log: run.log.logger
    ).follow(file)
    #expect(run.rig.values["lowpass/cutoff"] == 1500)
    #expect(run.rig.values["lowpass/resonance"] == 5)
    #expect(run.history.isDirty)
  }

  /// Units added by hand before the crash stay, too.
  @Test func aRecoveredUnitStaysWhenTheFileIsWritten() async throws {
    try await crashWithAUnit()
    let run = try await start(.take)
    let again = DocumentRig.editable(run.rig.plan)
    #expect(again.running.map(\.id) == ["lowpass", "own"], "\(run.log.text)")
    let changed = source.replacing("cutoff = 900.0", with: "cutoff = 900.0, resonance = 5")
    try Data(changed.utf8).write(to: file)
    await SessionFollower(
      store: try #require(again.control.store), history: again.control.history,
      editor: try #require(again.control.editor), late: LateWork(), rendersNow: false,
      log: run.log.logger
    ).follow(file)
    #expect(again.running.map(\.id) == ["lowpass", "own"], "\(run.log.text)")
    let unit = again.running[0].unit.parameterTree
    #expect(unit.parameter(keyPath: "cutoff")?.value == 1500)
    #expect(unit.parameter(keyPath: "resonance")?.value == 5)
  }

  /// The file has been rewritten, broken or removed meanwhile.
  @Test(
    arguments: ["[[unit]]\nid = \"other\"\ncomponent = \"filter\"\n", "[[unit\n", nil] as [String?])
  func aRecoveryNeedsNoFile(now: String?) async throws {
    try await crash(cutoff: 1500)
    if let now {
      try Data(now.utf8).write(to: file)
    } else {
      try FileManager.default.removeItem(at: file)
    }
    let run = try await start(.take)
    #expect(run.rig.values["lowpass/cutoff"] == 1500, "\(run.log.text)")
    try await run.rig.ask(.save(file: nil))
    #expect(try await DocumentRig(file).values["lowpass/cutoff"] == 1500)
  }

  @Test func aFileWrittenSinceIsReported() async throws {
    try await crash(cutoff: 1500)
    let old = try kept("1.toml")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: old.path)
    #expect(try await start().log.text.contains("(the file was written since)"))
  }

  @Test func discardedRecoveriesAreRemoved() async throws {
    try await crash(cutoff: 1500)
    let run = try await start(.discard)
    #expect(run.log.text.contains("threw the recovery of \(file.path) from 20"))
    #expect(run.rig.values["lowpass/cutoff"] == 900 && !run.history.isDirty)
    #expect(kept == [])
    #expect(try await start(.discard).log.text.contains("there is no recovery of"))
    #expect(try await start(.take).log.text.contains("there is no recovery of"))
    #expect(try await start().log.text == "")
  }

  /// The first recovery was not answered, and the session was changed again.
  @Test func anOlderRecoveryOutlivesANewerOne() async throws {
    try await crash(cutoff: 1500)
    try await crash(cutoff: 1600)
    #expect(try await start().log.text.contains(", and 1 older; "))
    let newest = try await start(.take)
    #expect(newest.rig.values["lowpass/cutoff"] == 1600)
    try await newest.set("lowpass/resonance", 3)
    try await newest.rig.ask(.undo(steps: 1))
    #expect(newest.history.isDirty, "undone, it is what was recovered and not what was saved")
    try await newest.rig.ask(.save(file: nil))
    newest.recovery.dropIfSaved(newest.history)
    #expect(try await start(.take).rig.values["lowpass/cutoff"] == 1500)
  }

  @Test func asManyAreKeptAsThereIsRoomFor() async throws {
    for index in 0..<13 { try await crash(cutoff: 1000 + Double(index)) }
    #expect(kept.filter { $0.hasSuffix(".toml") }.count == RecoveryFolder.capacity)
    #expect(kept.count == 2 * RecoveryFolder.capacity)
    #expect(try await start(.take).rig.values["lowpass/cutoff"] == 1012)
  }

  // MARK: While it runs

  @Test func aSessionThatRunsIsNoCrash() async throws {
    let first = try await start()
    try await first.set("lowpass/cutoff", 1500)
    first.keep()
    #expect(try await start().log.text == "")
    #expect(try await start(.take).log.text.contains("there is no recovery of"))
    #expect(try await start(.discard).log.text.contains("there is no recovery of"))
    let second = try await start()
    try await second.set("lowpass/cutoff", 1600)
    second.keep()
    try await second.rig.ask(.undo(steps: 1))
    second.recovery.dropIfSaved(second.history)
    #expect(kept == ["1.lock", "1.toml"])
    try await second.set("lowpass/cutoff", 1700)
    second.end()
    #expect(try await start(.take).rig.values["lowpass/cutoff"] == 1700)
    withExtendedLifetime(first) {}
  }

  @Test func aClaimedRecoveryCannotBeClaimedAgain() async throws {
    for cutoff in [1500.0, 1600] { try await crash(cutoff: cutoff) }
    let root = try #require(RecoveryFolder.root(["XDG_STATE_HOME": state.path]))
    let place = RecoveryFolder(of: file, in: root)
    let newest = try #require(try place.leftBehind().first)
    let claim = try place.claim(newest)
    #expect { try place.claim(newest) } throws: { ($0 as? SystemError)?.number == EWOULDBLOCK }
    #expect(try place.leftBehind().map(\.number) == [1])
    try claim.discard()
    withExtendedLifetime(claim) {}
    #expect(kept == ["1.lock", "1.toml"])
  }

  /// Another run has discarded the recovery since it was found.
  @Test func aDiscardedRecoveryCannotBeClaimed() async throws {
    for cutoff in [1500.0, 1600] { try await crash(cutoff: cutoff) }
    let root = try #require(RecoveryFolder.root(["XDG_STATE_HOME": state.path]))
    let place = RecoveryFolder(of: file, in: root)
    let newest = try #require(try place.leftBehind().first)
    try place.claim(newest).discard()
    #expect { try place.claim(newest) } throws: { ($0 as? SystemError)?.number == ENOENT }
    #expect(kept == ["1.lock", "1.toml"])
  }

  /// A claim of a run killed before it wrote a recovery, and one of a run that wrote none.
  @Test func unusedClaimsAreReleased() throws {
    let root = try #require(RecoveryFolder.root(["XDG_STATE_HOME": state.path]))
    let place = RecoveryFolder(of: file, in: root)
    _ = try place.claim()
    #expect(kept == ["1.lock"])
    try place.claim().discard()
    #expect(kept == [])
  }

  @Test func savedAndUndoneChangesNeedNoRecovery() async throws {
    let run = try await start()
    run.keep()
    #expect(kept == [])
    try await run.set("lowpass/cutoff", 1500)
    run.keep()
    #expect(kept == ["1.lock", "1.toml"])
    run.recovery.dropIfSaved(run.history)
    #expect(kept == ["1.lock", "1.toml"])
    try await run.rig.ask(.undo(steps: 1))
    run.recovery.dropIfSaved(run.history)
    #expect(kept == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: state.path + "/auricle/recovery")
        == [".lock"])
    // From a save to another file on, the recovery belongs to that file.
    try await run.set("lowpass/cutoff", 1600)
    run.keep()
    try await run.rig.ask(.save(file: folder.file("other.toml").path))
    run.recovery.dropIfSaved(run.history)
    #expect(kept == [])
    try await run.set("lowpass/cutoff", 1700)
    run.keep()
    run.end()
    #expect(try await start().log.text == "")
    let other = try await start(.take, folder.file("other.toml"))
    #expect(other.rig.values["lowpass/cutoff"] == 1700)
    #expect(
      run.log.text.contains("what was not saved of \(folder.file("other.toml").path) is kept"))
  }

  @Test func anUnchangedRecoveryIsNotWrittenAgain() async throws {
    let run = try await start()
    try await run.set("lowpass/cutoff", 1500)
    run.keep()
    let stamp = FileStamp(path: try kept("1.toml").path)
    run.keep()
    #expect(FileStamp(path: try kept("1.toml").path) == stamp)
    try await run.set("lowpass/cutoff", 1501)
    run.keep()
    #expect(FileStamp(path: try kept("1.toml").path) != stamp)
  }

  @Test func theFirstChangeIsWrittenAtOnceAndOthersAtTheInterval() async throws {
    let run = try await start()
    let now = ContinuousClock.now
    func isDue(after seconds: Int) -> Bool {
      run.recovery.isDue(run.history, now: now + .seconds(seconds))
    }
    #expect(!isDue(after: 0))
    try await run.set("lowpass/cutoff", 1500)
    #expect(isDue(after: 100))
    // One write at a time.
    #expect(!isDue(after: 200))
    run.keep()
    #expect(!isDue(after: 129))
    #expect(isDue(after: 130))
    let off = try await start(interval: 0)
    try await off.set("lowpass/cutoff", 1500)
    #expect(!off.recovery.isDue(off.history))
  }

  // MARK: The end

  @Test func anOrderlyEndKeepsUnsavedChangesAndNamesTheFile() async throws {
    let run = try await start()
    try await run.set("lowpass/cutoff", 1500)
    run.end()
    let place = try kept("1.toml").path
    #expect(
      run.log.text
        == "notice: what was not saved of \(file.path) is kept in \(place); auricle run "
        + "'\(file.path)' --recover continues with it, --discard-recovery deletes it\n")
    // Also before the process has ended.
    #expect(try await start(.take).rig.values["lowpass/cutoff"] == 1500)
    let clean = try await start(.discard)
    _ = clean.log.take()
    clean.end()
    #expect(clean.log.text == "" && kept == [])
    let off = try await start(interval: 0)
    try await off.set("lowpass/cutoff", 1500)
    off.end()
    #expect(
      off.log.text == "warning: what was changed and not saved of \(file.path) is gone\n")
  }

  /// The session is ended as by `JackSession`'s caller.
  @Test func anEndedSessionKeepsUnsavedChanges() async throws {
    let run = try await start()
    var options = JackSession.Options()
    options.recovery = run.recovery
    let session = JackSession(
      run.rig.plan, options, on: StillHost(run.rig.plan), SteppedTime(), RecentNotices(),
      log: run.log.logger)
    _ = try session.control.execute(.set(path: "lowpass/cutoff", value: .number(1500)))
    await session.end()
    #expect(run.log.text.contains("what was not saved of \(file.path) is kept in"))
    #expect(kept == ["1.lock", "1.toml"])
    #expect(try await start(.take).rig.values["lowpass/cutoff"] == 1500)
  }

  @Test func playedChangesAreNotKeptAtTheEnd() async throws {
    let run = try await start()
    run.history.notePlayed("lowpass/cutoff")
    run.keep()
    #expect(kept == ["1.lock", "1.toml"])
    run.end()
    #expect(run.log.text == "" && kept == [])
  }

  // MARK: Errors

  @Test func aRecoveryThatCannotBeReadIsNamedAndTheNextOneTaken() async throws {
    try await crash(cutoff: 1500)
    try await crash(cutoff: 1600)
    try Data("[[unit]]\nid = 3\n".utf8).write(to: kept("2.toml"))
    var run = try await start(.take)
    #expect(run.rig.values["lowpass/cutoff"] == 1500)
    #expect(run.log.text.contains("warning: the recovery cannot be used: \(state.path)/auricle/"))
    #expect(run.log.text.contains("2.toml:2:"))
    try Data([0xFF, 0]).write(to: kept("1.toml"))
    run = try await start()
    run = try await start(.take)
    #expect(run.rig.values["lowpass/cutoff"] == 900 && !run.rig.plan.isRecovered)
    #expect(run.log.text.contains("nothing was recovered; this is \(file.path) as it stands"))
    // The unusable recovery is not lost.
    run = try await start()
    #expect(run.log.text.contains("there is a recovery of"))
    run = try await start(.discard)
    #expect(kept == [])
  }

  /// Another run takes a recovery while the session looks for a usable one.
  @Test func whereAnotherRunWasFasterTheNextOneIsTaken() async throws {
    for cutoff in [1500.0, 1600, 1700] { try await crash(cutoff: cutoff) }
    try Data("[[unit]]\nid = 3\n".utf8).write(to: kept("3.toml"))
    let root = try #require(RecoveryFolder.root(["XDG_STATE_HOME": state.path]))
    let place = RecoveryFolder(of: file, in: root)
    let second = try #require(try place.leftBehind().first { $0.number == 2 })
    let other = Mutex<RecoveryClaim?>(nil)
    let log = LogRecorder { line in
      guard line.contains("3.toml:2:") else { return }
      other.withLock { $0 = try? place.claim(second) }
    }
    let run = try await Run(file, state: state, .take, log: log)
    #expect(other.withLock { $0 != nil })
    #expect(
      run.log.text.contains("warning: the recovery \(second.file.path) cannot be taken: "),
      "\(run.log.text)")
    #expect(run.rig.values["lowpass/cutoff"] == 1500)
  }

  @Test func anUnwritableFolderIsReportedOnce() async throws {
    _ = try folder.write("no folder", to: "state")
    let run = try await start()
    try await run.set("lowpass/cutoff", 1500)
    for _ in 0..<3 { run.keep() }
    let told = run.log.take()
    #expect(
      told.hasPrefix("warning: changes are not kept for a crash: cannot write in \(state.path)"))
    #expect(
      told.hasSuffix(": a part of its path is no folder\n")
        && told.split(separator: "\n").count == 1)
    run.end()
    #expect(run.log.take() == "warning: what was changed and not saved of \(file.path) is gone\n")
    try FileManager.default.removeItem(at: state)
    // A write that was under way when the session ended comes too late: another run may have the
    // recovery by now.
    run.keep()
    #expect(kept == [])
    try await crash(cutoff: 1500)
    #expect(run.log.text == "" && kept == ["1.lock", "1.toml"])
  }

  @Test func withoutAHomeNoRecoveryIsKeptAndThatIsReported() async throws {
    let log = LogRecorder()
    let recovery = SessionRecovery(intervalSeconds: 30, log: log.logger, environment: [:])
    let builder = SessionBuilder(registry: try BuiltInComponents.makeRegistry())
    let rig = DocumentRig(try await recovery.build(file, by: builder, .report))
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(1500)))
    let store = rig.control.store!
    for _ in 0..<2 {
      recovery.keep(store, rig.control.history, rig.control.units, store.origin)
    }
    #expect(log.text.split(separator: "\n").count == 1 && log.text.contains("XDG_STATE_HOME"))
  }

  // MARK: Names

  @Test func eachFileHasAPlaceOfItsOwn() throws {
    let root = folder.file("root")
    func name(_ path: String) -> String {
      RecoveryFolder(of: URL(fileURLWithPath: path), in: root).folder.lastPathComponent
    }
    #expect(name("/a/live.toml") != name("/b/live.toml"))
    #expect(name("/a/live.toml") != name("/a/live"))
    #expect(name("/a/live.toml") == name("/a/./x/../live.toml"))
    #expect(name("/a/live.toml").hasPrefix("live-"))
    let long = String(repeating: "é", count: 125)
    #expect(name("/a/\(long).toml").utf8.count < 200)
    #expect(name("/a/\(long)1.toml") != name("/a/\(long)2.toml"))
    #expect(
      RecoveryFolder.root(["XDG_STATE_HOME": "relative", "HOME": "/h"])?.path
        == "/h/.local/state/auricle/recovery")
  }

  @Test func theHintCanBeTyped() {
    #expect(
      "\(RecoveryHint(URL(fileURLWithPath: "/a/b.toml")))".hasPrefix("auricle run /a/b.toml -"))
    #expect(
      "\(RecoveryHint(URL(fileURLWithPath: "/a/it's.toml")))".hasPrefix(
        #"auricle run '/a/it'\''s.toml' --recover"#))
  }
}
