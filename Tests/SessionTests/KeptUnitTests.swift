// Units recreated by an undo.

import Configuration
import Effects
import Foundation
import SamplerUnit
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct KeptUnitTests {
  private func documentRig() async throws -> (DocumentRig, TemporaryDirectory) {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      """
      [[unit]]
      id = "lowpass"
      component = "filter"
      preset = "Warm"
      parameters = { cutoff = 900.0 }
      [[unit]]
      id = "piano"
      component = "sampler"
      soundfont = "a.sf2"
      midi = [ { stage = "transpose", semitones = 3 }, { stage = "filter" } ]
      \(Configurations.liveSet(in: folder))
      """, to: "session.toml")
    return (try await DocumentRig(file), folder)
  }

  /// A unit that was released is recreated with its state, however it was set.
  @Test func restoredUnitsAreUnchanged() async throws {
    let (rig, folder) = try await documentRig()
    let origin = rig.plan.origin
    let builder = SessionBuilder(registry: origin.registry, environment: origin.environment)
    var random = SeededRandom(seed: 3)
    for round in 0..<8 {
      for configured in origin.configuration.units {
        let unit = try #require(rig.control.units.first { $0.id == configured.id.value }).unit
        let before = unit.fullStateForDocument
        let kept = KeptUnit(unit, configured, file: origin.file)
        kept.rest(origin)
        #expect(kept.unit == nil)
        let again = try await kept.wake(builder)
        #expect(again !== unit && kept.unit === again)
        for parameter in again.parameterTree.allParameters
        where parameter.flags.contains(.writable) {
          let own = unit.parameterTree.parameter(keyPath: parameter.keyPath)
          #expect(own?.value == parameter.value, "round \(round): \(parameter.keyPath)")
        }
        #expect(again.settings(forDocument: true) == unit.settings(forDocument: true))
        #expect(again.shouldBypassEffect == unit.shouldBypassEffect)
        #expect(unit.fullStateForDocument == before)
      }
      try await rig.change(30, &random)
      if round == 3 { try await rig.ask(.entry(unit: "set", .number(1))) }
      if round == 5 {
        let file = folder.file("b.sf2").path
        try await rig.ask(.soundFont(unit: "piano", file: file))
        try await rig.ask(.preset(unit: "lowpass", .load("Prominent")))
      }
    }
  }

  /// Files are found from the session's former folder, to which their names are relative.
  @Test func unitsFindTheirFilesFromASessionThatIsSavedElsewhere() async throws {
    let (rig, folder) = try await documentRig()
    let origin = rig.plan.origin
    var elsewhere = origin
    elsewhere.file = folder.url.appendingPathComponent("other/session.toml")
    let before = try #require(SessionStructure(origin.configuration, rig.control.units))
    var after = before
    after.units.removeLast()
    let history = SessionHistory()
    history.record(
      history.step("removed", path: "set", from: before, to: after, file: origin.file))
    let step = try await history.takeBack { step in
      let kept = try #require(step.structures)
      for unit in kept.before.units { unit.kept.rest(elsewhere) }
      let awake = try await history.wake(kept.before, elsewhere)
      for (unit, own) in zip(awake.units, before.units) {
        #expect(unit.unit !== own.unit)
        let (sampler, former) = (unit.unit as? SamplerUnit, own.unit as? SamplerUnit)
        #expect(sampler?.soundFonts.map(\.url.path) == former?.soundFonts.map(\.url.path))
        #expect(sampler?.entries.map(\.name) == former?.entries.map(\.name))
      }
      // The units were not saved: no checksums have been added to their files.
      for (unit, own) in zip(awake.units, before.units) {
        let sums = [unit, own].map { "\($0.configuration.keys)".contains("sha256") }
        #expect(sums[0] == sums[1], "\(unit.configuration.id.value)")
      }
      elsewhere.configuration.units = awake.units.map(\.configuration)
      #expect(elsewhere.files.map(\.file.url.path) == origin.files.map(\.file.url.path))
    }
    #expect(step?.text == "removed")
  }

  /// The history keeps only the settings of units used long ago.
  @Test func unitsOfLongAgoAreLetGo() async throws {
    let (rig, _) = try await documentRig()
    let origin = rig.plan.origin
    let history = SessionHistory()
    struct Weak { weak var unit: AudioUnit? }
    var seen: [Weak] = []
    let configured = origin.configuration.units[0]
    func structure(cutoff: Float) throws -> SessionStructure {
      let unit = try FilterUnit()
      unit.parameterTree.parameter(keyPath: "cutoff")?.value = cutoff
      seen.append(Weak(unit: unit))
      return SessionStructure(
        units: [.init(configuration: configured, unit: unit)], connections: [], mappings: [],
        scenes: [])
    }
    var now = try structure(cutoff: 100)
    let count = KeptUnits.maximumAwake + 5
    for number in 1...count {
      let next = try structure(cutoff: Float(100 + number))
      history.record(
        history.step("\(number)", path: "lowpass", from: now, to: next, file: origin.file))
      now = next
      history.letRest(but: now.units.map { ("lowpass", $0.unit) }, origin)
    }
    #expect(seen.count { $0.unit != nil } == KeptUnits.maximumAwake + 1)
    #expect(seen.prefix(count - KeptUnits.maximumAwake).allSatisfy { $0.unit == nil })
    // All the way back, and forward again.
    func cutoff(_ structure: KeptStructure) async throws -> Float? {
      now = try await history.wake(structure, origin)
      history.letRest(but: now.units.map { ("lowpass", $0.unit) }, origin)
      return now.units[0].unit.parameterTree.parameter(keyPath: "cutoff")?.value
    }
    for number in (1...count).reversed() {
      let step = try await history.takeBack { step in
        let kept = try #require(step.structures)
        #expect(try await cutoff(kept.before) == Float(100 + number - 1))
      }
      #expect(step?.text == "\(number)")
    }
    for number in 1...count {
      let step = try await history.redo { step in
        let kept = try #require(step.structures)
        #expect(try await cutoff(kept.after) == Float(100 + number))
      }
      #expect(step?.text == "\(number)")
    }
  }
}
