// The sampler's abilities in a session, for any unit of a program.

import BuiltInUnits
import Configuration
import Foundation
import MIDIStages
import MIDIStagesModel
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// A unit with MIDI stages.
private final class StagedUnit: AudioUnit, MIDIChainUnit, @unchecked Sendable {
  static let component = Component(
    description: ComponentDescription(type: .midiProcessor, subtype: "stgd", manufacturer: "Test"),
    name: "Staged", shortName: "staged", unitType: StagedUnit.self
  ) { description, _ in try StagedUnit(description) }

  private let midi = MIDIChainHost([])
  var midiLayout: MIDIChainLayout { midi.layout }
  var midiCounters: DeferredEventCounters { midi.counters }

  init(_ description: ComponentDescription) throws {
    super.init(
      componentDescription: description, parameterTree: try Self.tree(midi.layout),
      parameterReserve: MIDIChainHost.parameterReserve)
  }

  private static func tree(_ layout: MIDIChainLayout) throws(ParameterTreeError) -> ParameterTree {
    try ParameterTree(children: layout.stages.isEmpty ? [] : [layout.parameterGroup()])
  }

  func setMIDIStages(_ kinds: [MIDIStageKind]) throws(MIDIStagesError) {
    try midi.setStages(kinds, of: self, tree: Self.tree)
  }
}

@Suite struct UnitAbilityTests {
  private static let text = """
    [[unit]]
    id = "stage"
    component = "scenes"
    label = "Act 1"
    parameters = { level = 1, size = 5 }
    [[unit.scene]]
    name = "quiet"
    parameters = { level = 2 }
    [[unit.scene]]
    name = "loud"
    parameters = { level = 8 }
    """

  private let folder: TemporaryDirectory
  private let file: URL
  private let builder: SessionBuilder
  private let rig: DocumentRig

  init() async throws {
    let registry = try BuiltInComponents.makeRegistry()
    try registry.register(SceneUnit.component)
    try registry.register(StagedUnit.component)
    builder = SessionBuilder(registry: registry)
    folder = try TemporaryDirectory()
    file = try folder.write(Self.text, to: "scenes.toml")
    rig = DocumentRig(try await builder.build(contentsOf: file))
  }

  private var unit: SceneUnit? { rig.plan.graph.nodes[0].unit as? SceneUnit }

  private func values() -> [Float] {
    unit?.parameterTree.allParameters.map(\.value) ?? []
  }

  @Test func itsKeysReachIt() throws {
    #expect(unit?.label == "Act 1")
    #expect(values() == [2, 5])
  }

  @Test func itsEntriesAreSelectedAndTakenBack() async throws {
    try await rig.ask(.entry(unit: "stage", .name("loud")))
    #expect(values() == [8, 5])
    #expect(
      await rig.refusal(.entry(unit: "stage", .name("lood"))).contains("did you mean 'loud'?"))
    try await rig.ask(.undo(steps: 1))
    #expect(values() == [2, 5])
    try await rig.ask(.redo(steps: 1))
    #expect(values() == [8, 5] && unit?.currentEntry?.name == "loud")
  }

  @Test func aUnitIsSavedByItsKeys() async throws {
    try await rig.ask(.entry(unit: "stage", .number(1)))
    try await rig.ask(.set(path: "stage/size", value: .number(7)))
    let saved = folder.file("saved.toml")
    try await rig.ask(.save(file: saved.path))
    let text = try String(contentsOf: saved, encoding: .utf8)
    #expect(text.contains("preset = \"loud\"\n"), "\(text)")
    #expect(
      text.hasSuffix(
        """
        [[unit.scene]]
        name = "quiet"
        parameters = { level = 2 }

        [[unit.scene]]
        name = "loud"
        parameters = { level = 8 }

        """), "\(text)")
    let again = DocumentRig(try await builder.build(contentsOf: saved))
    #expect(again.values == rig.values)
    #expect(again.plan.document == rig.plan.document)
    #expect(StateFile.names(of: saved) == [])
  }

  @Test func itsMIDIPassesStages() async throws {
    let file = try folder.write(
      """
      [[unit]]
      id = "s"
      component = "staged"
      midi = [ { stage = "transpose", semitones = 3 }, { stage = "filter", pass = ["note"] } ]
      """, to: "staged.toml")
    let plan = try await builder.build(contentsOf: file)
    let tree = plan.graph.nodes[0].unit.parameterTree
    #expect(tree.parameter(keyPath: "midi.transpose.semitones")?.value == 3)
    #expect(tree.parameter(keyPath: "midi.filter.pass.bend")?.value == 0)
    #expect(plan.document.configuration == plan.origin.configuration.current)
  }

  @Test func aUnitFollowsItsFileOrNeedsARestart() async throws {
    func difference(_ old: String, _ new: String) throws -> SessionDifference {
      let origin = rig.plan.origin
      let edited = try folder.write(Self.text.replacing(old, with: new), to: "scenes.toml")
      return try SessionDifference(
        from: origin, to: origin.with(origin.read(edited), file: edited), units: rig.control.units)
    }
    let change = try difference("Act 1", "Act 2")
    #expect(change.needsRestart == [] && change.units.count == 1)
    try await change.units.first?.change?()
    #expect(unit?.label == "Act 2")
    #expect(try difference("quiet", "silent").structure == ["unit 'stage'"])
  }

  /// An undo returns to an entry that has taken over by itself, also before the unit has reported
  /// it.
  @Test func thePresetOfBeforeIsTheEntryThatPlays() throws {
    let unit = try #require(unit)
    try unit.selectEntry(1, at: .immediate)
    unit.presetDidChange(to: Preset(number: 0, name: "quiet"))
    #expect(UnitSnapshot(unit).preset == Preset(number: 1, name: "loud"))
    unit.presetDidChange(to: Preset(number: -1, name: "mine"))
    #expect(UnitSnapshot(unit).preset == Preset(number: -1, name: "mine"))
  }

  @Test func warningsCountsAndNewsAreReported() throws {
    #expect(rig.plan.warnings == ["stage: a scene is dark"])
    #expect(
      SessionCounts(units: rig.control.units).lines == ["stage: scenes that were missed: 2"])
    #expect(unit?.takeNews().map(\.text) == ["scene quiet"])
  }

  @Test func wrongKeysAreRefusedWithTheirPosition() async throws {
    let wrong = try folder.write(
      Self.text.replacing("level = 8", with: "level = []"), to: "wrong.toml")
    await #expect { _ = try await builder.build(contentsOf: wrong) } throws: {
      "\($0)".contains("wrong.toml:11:24: 'level' must be a number")
    }
    let foreign = try folder.write(
      "[[unit]]\nid = \"f\"\ncomponent = \"filter\"\nlabel = \"x\"\n", to: "foreign.toml")
    await #expect { _ = try await builder.build(contentsOf: foreign) } throws: {
      "\($0)".contains("component 'filter' has no 'label'; accepted: preset, parameters")
    }
  }

  @Test(arguments: ["reset-with-transport = true", "reset-with-transport = false", ""])
  func aUnitIsResetWithTheTransportWhereItsConfigurationSaysSo(key: String) async throws {
    let file = try folder.write(
      "[[unit]]\nid = \"echo\"\ncomponent = \"delay\"\n\(key)\n", to: "other.toml")
    let plan = try await builder.build(contentsOf: file)
    #expect(plan.graph.nodes[0].unit.resetsWithTransport == key.hasSuffix("true"))
  }
}

extension SessionConfiguration {
  /// The configuration as it would be saved.
  fileprivate var current: SessionConfiguration {
    var current = self
    current.version = Located(Self.currentVersion, at: .nowhere)
    return current
  }
}

@Suite struct DeferredEventCountTests {
  @Test func onlyWaitsBeyondABlockAreReported() throws {
    let unit = try StagedUnit(StagedUnit.component.description)
    func counts() -> SessionCounts { SessionCounts(units: [("stage", unit)]) }
    for _ in 0..<2 { unit.midiCounters.countDeferred() }
    unit.midiCounters.noteDelay(64)
    let before = counts()
    #expect(before.lines == [] && before.news(since: SessionCounts()) == [])
    unit.midiCounters.noteDelay(65)
    #expect(
      counts().news(since: before) == [
        "stage: events that waited, because there were more before them than 64 frames have time "
          + "for: 2 more, 2 in all",
        "stage: frames that the event waited that waited longest: 65",
      ])
    #expect(counts().news(since: counts()) == [])
    // Further waits are not reported, since each second would bring a notice.
    let told = counts()
    unit.midiCounters.countDeferred()
    unit.midiCounters.noteDelay(80)
    #expect(counts().news(since: told) == [])
  }
}
