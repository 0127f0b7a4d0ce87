// The outcomes of changes that wait.

import Configuration
import Effects
import Foundation
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import SamplerUnit
@testable import Session
@testable import SessionModel

@Suite struct PendingChangeTests {
  /// A load for a unit is refused if the unit is removed or replaced meanwhile.
  @Test func workForAReplacedUnitIsRefused() async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(Configurations.filter(), to: "a.toml")
    let rig = try await DocumentRig(file)
    var control = rig.control
    control.editor = SessionEditor([("lowpass", try FilterUnit())])
    let command = SessionCommand.preset(unit: "lowpass", .load("Warm"))
    guard case .later(let late) = try control.execute(command) else {
      Issue.record("it is done at once")
      return
    }
    let result = await late.work()
    #expect("\(result)".contains("unit 'lowpass' was removed or replaced meanwhile"))
  }

  /// A change that ends after its unit was removed stays neither in the unit nor in the history.
  @Test func workThatEndsAfterItsUnitWasRemovedIsUndoneAndRefused() async throws {
    let folder = try TemporaryDirectory()
    let rig = try await DocumentRig(try folder.write(Configurations.filter(), to: "a.toml"))
    var control = rig.control
    let editor = SessionEditor(control.units)
    editor.executeAtOnce()
    control.editor = editor
    let unit = control.units[0].unit
    let (values, preset) = (rig.values, unit.currentPreset)
    guard case .later(let late) = try control.execute(.preset(unit: "lowpass", .load("Warm")))
    else {
      Issue.record("it is done at once")
      return
    }
    // While the preset sets its values.
    let changes = Mutex(0)
    let token = unit.parameterTree.token(byAddingParameterObserver: { _, _ in
      changes.withLock { $0 += 1 }
      editor.setUnits([])
    })
    let result = await late.work()
    unit.parameterTree.removeParameterObserver(token)
    #expect("\(result)".contains("unit 'lowpass' was removed or replaced meanwhile"))
    #expect(changes.withLock { $0 } >= 2)
    #expect(rig.values == values && unit.currentPreset == preset)
    #expect(control.history.counts.undo == 0)
  }

  /// A sampler prepares its sound on another thread than the session's.
  @Test(.timeLimit(.minutes(5))) func aNumberOfVoicesWaitsForTheFontBesideTheSession()
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
    guard case .later(let late) = try rig.control.execute(command) else {
      Issue.record("the session waits for it")
      return
    }
    #expect(late.text == "piano: polyphony to 64")
    #expect(late.claims.wait(for: .sound(of: "piano")))
    #expect(rig.values["piano/polyphony"] == before)
    end.signal()
    _ = try await late.work().get()
    #expect(rig.values["piano/polyphony"] == 64)
    guard case .changes(let changes) = try await rig.ask(.undo(steps: 1)) else { return }
    #expect(changes.map(\.text) == ["piano/polyphony from \(Int(before)) to 64"])
    #expect(rig.values["piano/polyphony"] == before)
  }

  /// Changes made while an undo waits for its unit are undone first.
  @Test(.timeLimit(.minutes(5))) func aWaitingUndoRevertsTheChangeThatIsLastThen() async throws {
    let folder = try TemporaryDirectory()
    let rig = try await DocumentRig(try folder.write(Configurations.filter(), to: "a.toml"))
    try await rig.ask(.preset(unit: "lowpass", .load("Warm")))
    let (late, end) = (rig.control.late, DispatchSemaphore(value: 0))
    late.begin("a load", .sound(of: "lowpass")) { end.wait() }
    guard case .later(let undo) = try rig.control.execute(.undo(steps: 1)) else { return }
    let undone = Task { await undo.work() }
    #expect(await eventually { late.count == 2 })
    try await rig.ask(.set(path: "lowpass/resonance", value: .number(3)))
    end.signal()
    guard case .changes(let changes) = try await undone.value.get() else { return }
    #expect(changes.map(\.path) == ["lowpass/resonance"])
    #expect(rig.control.history.counts == (1, 1))
  }

  /// Parts of a running change do not count.
  @Test(.timeLimit(.minutes(5))) func oneChangeTooManyIsRefusedAndTheSessionGoesOn() async throws {
    let folder = try TemporaryDirectory()
    let rig = try await DocumentRig(try folder.write(Configurations.filter(), to: "a.toml"))
    let (late, end) = (rig.control.late, DispatchSemaphore(value: 0))
    late.begin("change 1", Claims([.history])) {
      await late.holding(Claims([.structure])) { end.wait() }
    }
    #expect(await eventually { late.count == 2 })
    for number in 2...1023 { late.begin("change \(number)", Claims([.history])) {} }
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(1500)))
    late.begin("change 1024", Claims([.history])) {}
    #expect(
      await rig.refusal(.set(path: "lowpass/cutoff", value: .number(2000)))
        == "1024 changes are under way already; accepted: the same later; "
        + "auricle ctl status tells what is pending")
    // Commands that wait for nothing still work.
    guard case .parameter(let reading) = try await rig.ask(.get(path: "lowpass/cutoff")) else {
      Issue.record("no value is read")
      return
    }
    #expect(reading.value == 1500)
    try await rig.ask(.bypass(unit: "lowpass", isOn: true))
    #expect(late.pending.map(\.text) == (1...1024).map { "change \($0)" })
    end.signal()
    await late.finish()
    try await rig.ask(.set(path: "lowpass/cutoff", value: .number(2000)))
    #expect(rig.values["lowpass/cutoff"] == 2000)
  }

  /// Units added while a session is saved stay.
  @Test func unitsAddedDuringASaveAreKept() async throws {
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
