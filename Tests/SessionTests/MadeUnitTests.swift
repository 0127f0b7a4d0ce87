// Units made by a program, saved and opened again.

import BuiltInUnits
import Configuration
import Effects
import EnvironmentUnit
import Foundation
import MIDIEffectUnit
import MediaFiles
import MixerUnit
import Players
import RecorderUnit
import SamplerUnit
import TestSupport
import Testing
import TimePitchUnit
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct MadeUnitTests {
  private let folder: TemporaryDirectory
  private let registry: ComponentRegistry

  init() throws {
    folder = try TemporaryDirectory()
    registry = try BuiltInComponents.makeRegistry()
  }

  /// Returns units of all kinds. Options of their initializers differ from the defaults.
  private func unusual() throws -> [AudioUnit] {
    let sound = folder.file("sound.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 3)
    try writer.write(Array(repeating: [0, 0.5, 0], count: 3))
    try writer.finish()
    let responses = folder.file("other.sofa")
    // The default path may be a link.
    try Data(contentsOf: URL(fileURLWithPath: HeadResponseFile.defaultPath)).write(to: responses)
    let playing = try ScheduledPlayerUnit(channels: 5)
    try playing.setContent(contentsOf: sound, streams: true)
    let recorder = try RecorderUnit()
    try recorder.setTarget(folder.file("take.wav"), encoding: .int24)
    let environment = try EnvironmentUnit(EnvironmentLayout(inputs: 7, ports: [2, 1]))
    try environment.setHeadResponses(path: responses.path)
    let stages = try MIDIEffectUnit(midiStages: [.transpose, .echo])
    try stages.parameterTree.parameter(keyPath: "midi.transpose.semitones")?.setValue(5)
    return [
      try FilterUnit(), try CombUnit(), try DelayUnit(), try EQUnit(bandCount: 6),
      try DistortionUnit(), try CompressorUnit(lookAhead: 3.25), try LimiterUnit(lookAhead: 0),
      try GateUnit(lookAhead: 20), try ReverbUnit(), try ChorusUnit(), try VarispeedUnit(),
      try TimePitchUnit(), try ToneUnit(), playing, try ScheduledPlayerUnit(channels: 3), recorder,
      try MixerUnit(MixerLayout(inputs: 9, channels: 4, ports: [1, 4], isMonoAtUnity: true)),
      environment, stages,
      try SamplerUnit(
        midiStages: [.velocity], outputs: .channels,
        channels: SamplerChannelSetup(drumChannels: [2, 16], bankSelect: .mma)),
    ]
  }

  private func save(_ units: [AudioUnit], as name: String) async throws -> URL {
    let structure = ProgramStructure(
      units: units.enumerated().map { ProgramStructure.Unit(id: "unit-\($0)", unit: $1) })
    let rig = DocumentRig(
      try SessionPlan(structure, clientName: "made", registry: registry, environment: [:]))
    let file = folder.file(name)
    try await rig.ask(.save(file: file.path))
    return file
  }

  private func open(_ file: URL) async throws -> [AudioUnit] {
    try await SessionBuilder(registry: registry).build(contentsOf: file).units.map(\.unit)
  }

  /// Returns the visible results of a unit's initializer.
  private func making(_ unit: AudioUnit) -> [String] {
    let tree = unit.parameterTree.allParameters.map { "\($0.keyPath) = \($0.value)" }
    let busses = [unit.inputBusses, unit.outputBusses].map { busses in
      "\(busses.mostCount): \(busses.busses.map(\.format.channelCount))"
    }
    let more =
      switch unit {
      case let unit as DynamicsProcessor: "\(unit.lookAhead)"
      case let unit as MixerUnit: "\(unit.layout)"
      case let unit as EnvironmentUnit: "\(unit.layout) \(unit.headResponsePath)"
      case let unit as SamplerUnit:
        "\(unit.outputLayout) \(unit.channelSetup.drumChannels.sorted()) "
          + "\(unit.channelSetup.bankSelect)"
      default: ""
      }
    var keys = UnitKeys()
    _ = (unit as? any ConfigurableUnit)?.describe(&keys, ConfigurationContext(file: nil))
    return tree + busses + [more, "\(unit.resetsWithTransport)"]
      + keys.names.sorted().map { "\($0) \(keys[$0]!.content)" }
  }

  @Test func eachKindComesBackAsItWasMade() async throws {
    let units = try unusual()
    for unit in units { unit.resetsWithTransport = true }
    let kinds = Set(units.map { ObjectIdentifier(type(of: $0)) })
    for component in BuiltInComponents.all {
      let usual = try registry.makeUnit(of: component)
      #expect(kinds.contains(ObjectIdentifier(type(of: usual))), "\(component.name)")
    }
    let file = try await save(units, as: "made.toml")
    let again = try await open(file)
    #expect(again.count == units.count)
    for (made, opened) in zip(units, again) {
      #expect(type(of: made) == type(of: opened))
      #expect(making(opened) == making(made), "\(type(of: made))")
    }
    let once = try String(contentsOf: file, encoding: .utf8)
    for line in [
      "bands = 6", "look-ahead = 3.25", "look-ahead = 0", "look-ahead = 20", "stream = true",
      "file = \"sound.wav\"", "channels = 3", "encoding = \"24\"", "inputs = 9", "channels = 4",
      "ports = [1, 4]", "inputs = 7", "ports = [2, 1]", "hrtf = \"other.sofa\"",
      "outputs = \"channels\"", "drum-channels = [2, 16]", "bank-select = \"mma\"",
      "midi = [{ stage = \"transpose\", semitones = 5 }, { stage = \"echo\" }]",
    ] {
      #expect(once.contains("\n\(line)\n"), "\(line)")
    }
    #expect(once.contains("take.wav\"\n"))
    // Saved again, the file is the same.
    let twice = try await save(again, as: "again.toml")
    #expect(try String(contentsOf: twice, encoding: .utf8) == once)
  }

  /// Default units need no keys. Recorders and players are left out: players play a file, or sounds
  /// from a program.
  @Test func defaultsAreNotWritten() async throws {
    let usual = try BuiltInComponents.all.filter { $0.unitType != ScheduledPlayerUnit.self }.map {
      try registry.makeUnit(of: $0)
    }.filter { !($0 is RecorderUnit) }
    let file = try await save(usual, as: "usual.toml")
    let configuration = try SessionConfiguration(
      contentsOf: file, kinds: registry.configurableUnits)
    #expect(configuration.units.allSatisfy { $0.keys.isEmpty && $0.parameters.isEmpty })
    #expect(try await open(file).map(making) == usual.map(making))
  }

  @Test func aPlayerSaysItsFileOrItsChannels() async throws {
    let both = try folder.write(
      "[[unit]]\nid = \"p\"\ncomponent = \"player\"\nfile = \"a.wav\"\nchannels = 2\n",
      to: "both.toml")
    await #expect { _ = try await open(both) } throws: {
      "\($0)".contains("both.toml:5:12: 'channels' beside 'file'")
    }
    let neither = try folder.write(
      "[[unit]]\nid = \"p\"\ncomponent = \"player\"\n", to: "neither.toml")
    await #expect { _ = try await open(neither) } throws: {
      "\($0)".contains("a player without a file plays nothing")
    }
  }
}

extension BusArray {
  fileprivate var mostCount: Int { isOpen ? maximumBusCount : count }
}
