// Reports about a component.

import BuiltInUnits
import Configuration
import Testing
import Tools

@Suite struct ComponentReportTests {
  @Test func theReportOfAMIDIEffectListsAllStages() throws {
    let registry = try BuiltInComponents.makeRegistry()
    let report = try ComponentReport(registry.component(named: "midi"), registry: registry)
    #expect(report.midiStages.map(\.stage) == MIDIStageConfiguration.names)
    let arpeggiator = report.midiStages.first { $0.stage == "arpeggiator" }
    #expect(arpeggiator?.parameters.last?.keyPath == "bypass")
    let text = report.text
    for line in [
      "  channels.1…16  0 to 1, default 1", "  octaves        1 to 4, default 1",
      "  velocities     As Played | Fixed | Accent, default As Played",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    #expect(text.contains("  zones.1…8.keyLow    0 to 127, default 0"))
  }

  @Test func rangesAreWrittenAsTheUnitWritesItsValues() throws {
    let registry = try BuiltInComponents.makeRegistry()
    let report = try ComponentReport(registry.component(named: "filter"), registry: registry)
    for line in [
      "tags: Effect, Filter", "  cutoff     12 to 20000 Hz, default 20000, ramps",
      "  resonance  -20.00 to 20.00 dB, default 0.00, ramps",
    ] {
      #expect(report.text.contains(line), "\(report.text)")
    }
    #expect(report.typeName == "Effect" && report.tags == ["Effect", "Filter"])
  }

  @Test(arguments: BuiltInComponents.all.map(\.shortName))
  func theMIDIOfAComponentIsThatOfItsUnits(name: String) throws {
    let registry = try BuiltInComponents.makeRegistry()
    let component = try registry.component(named: name)
    let report = try ComponentReport(component, registry: registry)
    #expect(component.hasMIDIInput == report.takesMIDI)
    #expect(component.hasMIDIOutput == !report.midiOutputs.isEmpty)
  }
}
