// Stages whose keys are their parameters: they are read as key paths and values.
import Configuration
import MIDIStages
import MIDIStagesModel
import Testing

struct StageSettingsTests {
  func settings(_ toml: String) throws -> [Setting] {
    let configuration = try SessionConfiguration(
      toml: """
        [[unit]]
        id = "a"
        component = "sampler"
        midi = [ { stage = "velocity", \(toml) } ]
        """, file: "test.toml")
    let stage = configuration.units[0].midiStages[0].value
    #expect(stage.name == "velocity")
    return stage.settings
  }

  func pairs(_ toml: String) throws -> [String] {
    try settings(toml).map { "\($0.keyPath.value)=\($0.value.value)" }
  }

  @Test func everyStageOfTheKernelHasItsName() {
    #expect(MIDIStageConfiguration.names == MIDIStageKind.allCases.map(\.rawValue))
  }

  @Test func keysTablesAndArraysBecomeKeyPaths() throws {
    #expect(
      try pairs("curve = \"fixed\", fixed = 7, points = [ { in = 1 }, { in = 2, out = true } ]")
        == [
          "curve=string(\"fixed\")", "fixed=number(7.0)", "points.1.in=number(1.0)",
          "points.2.in=number(2.0)", "points.2.out=boolean(true)",
        ])
    #expect(try pairs("a = { b = [[3], 4] }, c.d = 5").first == "a.b.1.1=number(3.0)")
  }

  @Test func rangesAndChannelsAreWrittenAsForAFilter() throws {
    #expect(
      try pairs("zones = [ { keys = \"C4-B4\" } ], velocities = \"10-90\"") == [
        "zones.1.keyLow=number(60.0)", "zones.1.keyHigh=number(71.0)",
        "velocityLow=number(10.0)", "velocityHigh=number(90.0)",
      ])
    let channels = try settings("channels = [1, \"15-16\"]")
    #expect(channels.map(\.keyPath.value) == (1...16).map { "channels.\($0)" })
    #expect(
      channels.filter { $0.value.value == .boolean(true) }.map(\.keyPath.value) == [
        "channels.1", "channels.15", "channels.16",
      ])
  }

  @Test func everySettingKnowsItsPlace() throws {
    let setting = try #require(try settings("fixed = 7").first)
    #expect(setting.keyPath.location.description == "test.toml:4:32")
    #expect(setting.value.location.description == "test.toml:4:40")
  }
}
