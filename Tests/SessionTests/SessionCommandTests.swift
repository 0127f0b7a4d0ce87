// Commands to the units of a session, without a server.

import BuiltInUnits
import Configuration
import Effects
import Foundation
import Graph
import MIDIEffectUnit
import SessionTestSupport
import Synchronization
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite struct SessionCommandTests {
  private let filter: FilterUnit
  private let midi: AudioUnit
  private let control: SessionControl

  init() async throws {
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry()).build(
      try SessionConfiguration(
        builtIn: """
          [[unit]]
          id = "lowpass"
          component = "filter"
          preset = "Warm"
          [[unit]]
          id = "keys"
          component = "midi"
          midi = [ { stage = "transpose", semitones = 3 }, { stage = "scale" }, { stage = "chord" } ]
          """, file: "session.toml"), file: nil)
    filter = try #require(plan.graph.nodes[0].unit as? FilterUnit)
    midi = plan.graph.nodes[1].unit
    control = SessionControl(
      units: plan.graph.nodes.map { ($0.id, $0.unit) }, sampleRate: nil, endOutside: {},
      status: { SessionStatus(client: "x", server: "default", units: 2) })
  }

  private func answer(_ command: SessionCommand) throws -> SessionAnswer {
    guard case .done(let answer) = try control.execute(command) else { throw Missing() }
    return answer
  }

  private func refusal(_ command: SessionCommand) throws -> String {
    var refusal = ""
    do throws(SessionCommandError) {
      let outcome = try control.execute(command)
      Issue.record("\(command): \(outcome)")
    } catch { refusal = error.description }
    return refusal
  }

  private func value(_ path: String) throws -> Float? {
    guard case .parameter(let reading) = try answer(.get(path: path)) else { return nil }
    return reading.value
  }

  @Test func errorsOfAServerGiveTheRemedy() {
    #expect("\(SessionError.noCycle)".contains("look at its messages, or restart it"))
    #expect("\(SessionError.serverGone(reason: "killed"))".contains("(killed); start it again"))
  }

  @Test func unitsAndParametersAreListed() throws {
    guard case .units(let units) = try answer(.list(path: nil)) else { throw Missing() }
    #expect(units.map(\.id) == ["lowpass", "keys"])
    #expect(units.map(\.component) == ["filter", "midi"])
    #expect(units.map(\.preset) == ["Warm", nil])
    func paths(_ path: String) throws -> [String] {
      guard case .parameters(let found) = try answer(.list(path: path)) else { return [] }
      return found.map(\.path)
    }
    #expect(try paths("lowpass") == ["lowpass/cutoff", "lowpass/resonance"])
    #expect(try paths("keys/midi/transpose").contains("keys/midi/transpose/semitones"))
    #expect(try paths("keys/midi/transpose/semitones") == ["keys/midi/transpose/semitones"])
    #expect(try paths("keys").count == midi.parameterTree.allParameters.count)
  }

  private struct Missing: Error {}

  @Test(arguments: [
    (SettingValue.number(1234.5), Float(1234.5)), (.string("440"), 440), (.string("2 kHz"), 2000),
    (.string("1e2"), 100), (.number(12), 12), (.number(20_000), 20_000),
  ])
  func valuesAreThoseOfConfigurations(value: SettingValue, number: Float) throws {
    #expect(try answer(.set(path: "lowpass/cutoff", value: value)) == .done)
    #expect(try self.value("lowpass/cutoff") == number)
  }

  @Test func choicesAreSetAndReadByTheirNames() throws {
    let parameter = try #require(
      midi.parameterTree.allParameters.first {
        !$0.valueStrings.isEmpty && $0.flags.contains(.writable)
      })
    let path = "keys/" + parameter.keyPath.replacing(".", with: "/")
    for name in parameter.valueStrings {
      _ = try answer(.set(path: path, value: .string(name.uppercased())))
      guard case .parameter(let reading) = try answer(.get(path: path)) else {
        throw Missing()
      }
      #expect(reading.text == name)
    }
    #expect(
      try refusal(.set(path: path, value: .string("nonsense"))).contains(parameter.valueStrings[0]))
    for (text, value) in [("on", Float(1)), ("false", 0), ("1", 1)] {
      _ = try answer(.set(path: "keys/midi/transpose/bypass", value: .string(text)))
      #expect(try self.value("keys/midi/transpose/bypass") == value)
    }
  }

  @Test(arguments: [
    ("nothing/cutoff", "unknown unit 'nothing'", "lowpass, keys"),
    ("lowpas/cutoff", "did you mean 'lowpass'?", "lowpass, keys"),
    ("lowpass/cutof", "did you mean 'lowpass/cutoff'?", "lowpass/resonance"),
    ("lowpass", "'lowpass' is a unit", "lowpass/cutoff"), ("", "unknown unit ''", "lowpass"),
    ("/", "unknown unit ''", "lowpass"), ("lowpass//cutoff", "unknown parameter", "lowpass/cutoff"),
    ("keys/midi/transpose", "is a group", "keys/midi/transpose/semitones"),
    ("lowpass/\u{1B}[2J", "\\u{1b}", "lowpass/cutoff"),
  ])
  func wrongPathsAreRefusedWithTheAcceptedOnes(path: String, message: String, accepted: String)
    throws
  {
    let before = filter.allParameterValues
    for command in [SessionCommand.get(path: path), .set(path: path, value: .number(1))] {
      let text = try refusal(command)
      #expect(text.contains(message) && text.contains(accepted), "\(text)")
    }
    #expect(filter.allParameterValues == before)
  }

  @Test(arguments: [
    ("lowpass/cutoff", SettingValue.number(5), "12 to 20000 Hz"),
    ("lowpass/cutoff", .number(.infinity), "12 to 20000 Hz"),
    ("lowpass/cutoff", .string("nan"), "12 to"),
    ("lowpass/cutoff", .boolean(true), "12 to"), ("lowpass/cutoff", .string(""), "12 to"),
    ("keys/midi/transpose/semitones", .number(1.5), "no whole number"),
    ("keys/midi/transpose/semitones", .string("many"), "-"),
    ("keys/midi/chord/root", .number(1), "read-only"),
  ])
  func wrongValuesChangeNothing(path: String, value: SettingValue, message: String) throws {
    let before = (filter.allParameterValues, midi.allParameterValues)
    let text = try refusal(.set(path: path, value: value))
    #expect(text.contains(message), "\(text)")
    #expect(before == (filter.allParameterValues, midi.allParameterValues))
  }

  @Test func scheduledChangesAreRefusedWithoutAServer() throws {
    let text = try refusal(.set(path: "lowpass/cutoff", value: .number(900), frame: 48_000))
    #expect(text.contains("no JACK server"))
  }

  @Test func rampsAndFramesAreChecked() throws {
    let control = SessionControl(
      units: control.units, sampleRate: 48_000, endOutside: {}, status: control.status)
    for (command, message) in [
      (
        SessionCommand.set(path: "lowpass/cutoff", value: .number(99), rampMilliseconds: -1), "0 to"
      ),
      (.set(path: "lowpass/cutoff", value: .number(99), rampMilliseconds: .infinity), "0 to"),
      (.set(path: "lowpass/cutoff", value: .number(99), frame: -1), "from 0 on"),
      (
        .set(path: "keys/midi/transpose/semitones", value: .number(1), rampMilliseconds: 5),
        "cannot ramp"
      ),
    ] {
      #expect { _ = try control.execute(command) } throws: { "\($0)".contains(message) }
    }
  }

  @Test func observersGetSetValues() throws {
    let values = ValueRecorder()
    let parameter = try #require(filter.parameterTree.parameter(keyPath: "cutoff"))
    let token = parameter.token(byAddingParameterObserver: { _, value in values.add("", value) })
    _ = try answer(.set(path: "lowpass/cutoff", value: .number(777)))
    _ = try refusal(.set(path: "lowpass/cutoff", value: .number(-777)))
    #expect(values.lines == [" 777.0"])
    parameter.removeParameterObserver(token)
  }

  @Test func aWatchReportsEachChangeUntilItEnds() throws {
    let values = ValueRecorder()
    let watch = SessionWatch(
      ["lowpass/cutoff", "lowpass/cutoff", "keys/midi", "nothing"], meters: [], of: control.units
    ) { values.add($0) }
    _ = try answer(.set(path: "lowpass/cutoff", value: .number(50)))
    _ = try answer(.set(path: "lowpass/resonance", value: .number(1)))
    _ = try answer(.set(path: "keys/midi/transpose/semitones", value: .number(5)))
    #expect(values.lines == ["lowpass/cutoff 50.0", "keys/midi/transpose/semitones 5.0"])
    // New stages have new parameters.
    let effect = try #require(midi as? MIDIEffectUnit)
    for count in 1...3 {
      try effect.setMIDIStages(Array(repeating: .transpose, count: count))
      effect.notify(.parameterTree)
      let last = try #require(
        effect.parameterTree.allParameters.last { $0.keyPath.hasSuffix("semitones") })
      try last.setValue(Float(count))
      #expect(values.lines.last?.hasSuffix("semitones \(Float(count))") == true)
    }
    let count = values.lines.count
    #expect(count == 5)
    watch.end()
    _ = try answer(.set(path: "lowpass/cutoff", value: .number(60)))
    for parameter in effect.parameterTree.allParameters { parameter.value = parameter.maxValue }
    #expect(values.lines.count == count)
  }

  /// The watch follows units added to the session.
  @Test func aWatchReportsOnlyTheValuesOfAddedUnits() throws {
    let values = ValueRecorder()
    let (cutoff, semitones) = ("lowpass/cutoff", "keys/midi/transpose/semitones")
    let watch = SessionWatch([cutoff, semitones], meters: [], of: [control.units[0]]) {
      values.add($0)
    }
    watch.follow(control.units)
    _ = try answer(.set(path: cutoff, value: .number(50)))
    _ = try answer(.set(path: semitones, value: .number(5)))
    #expect(values.lines == ["\(semitones) 3.0", "\(cutoff) 50.0", "\(semitones) 5.0"])
    watch.end()
  }

  @Test func aUnitIsBypassedAndNoLonger() throws {
    for isOn in [true, false] {
      #expect(try answer(.bypass(unit: "lowpass", isOn: isOn)) == .done)
      #expect(filter.shouldBypassEffect == isOn)
    }
    #expect(try refusal(.bypass(unit: "lowpss", isOn: true)).contains("did you mean 'lowpass'?"))
  }

  @Test func abilitiesThatAUnitLacksAreRefusedAtOnce() throws {
    for (command, message) in [
      (
        SessionCommand.soundFont(unit: "lowpass", file: "x.sf2"),
        "'lowpass' is no sampler; accepted: none"
      ),
      (.entry(unit: "keys", .number(1)), "'keys' is no sampler"),
      (.preset(unit: "nothing", .list), "unknown unit"),
    ] { #expect(try refusal(command).contains(message)) }
  }

  @Test func presetsAreKeptByTheUnit() async throws {
    let directory = try TemporaryDirectory()
    filter.presetStore = PresetStore(component: filter.componentDescription, root: directory.url)
    func ask(_ action: SessionCommand.PresetAction) async throws -> SessionAnswer {
      guard case .later(let late) = try control.execute(.preset(unit: "lowpass", action)) else {
        throw Missing()
      }
      return try await late.work().get()
    }
    _ = try answer(.set(path: "lowpass/cutoff", value: .number(123)))
    #expect(try await ask(.save("Mine")) == .done)
    #expect(try await ask(.load("Bright")) == .done)
    #expect(try value("lowpass/cutoff") == 14_000)
    #expect(try await ask(.load("Mine")) == .done)
    #expect(try value("lowpass/cutoff") == 123)
    guard case .presets(let presets) = try await ask(.list) else { throw Missing() }
    #expect(presets.map(\.name) == ["Prominent", "Bright", "Warm", "Mine"])
    #expect(presets.filter(\.isCurrent).map(\.name) == ["Mine"])
    for (action, message) in [
      (SessionCommand.PresetAction.load("Min"), "did you mean 'Mine'?"),
      (.save("Warm"), "another name"), (.save(""), "cannot name a preset"),
      (.delete("Warm"), "unknown preset 'Warm'"),
    ] {
      do {
        let answer = try await ask(action)
        Issue.record("\(action): \(answer)")
      } catch { #expect("\(error)".contains(message), "\(error)") }
    }
    #expect(try value("lowpass/cutoff") == 123)
    #expect(try await ask(.delete("Mine")) == .done)
    guard case .presets(let rest) = try await ask(.list) else { throw Missing() }
    #expect(rest.map(\.name) == ["Prominent", "Bright", "Warm"])
  }
}

/// Records reported values, one a line.
private final class ValueRecorder: Sendable {
  private let all = Mutex<[String]>([])
  var lines: [String] { all.withLock { $0 } }
  func add(_ path: String, _ value: Float) { all.withLock { $0.append("\(path) \(value)") } }
  /// Adds a changed value.
  func add(_ notice: SessionNotice) {
    if case .change(let reading) = notice { add(reading.path, reading.value) }
  }
}
