// Commands to the units of a session, without a server.

import Configuration
import FilterUnit
import Foundation
import Graph
import MIDIKernel
import SamplerUnit
import TestSupport
import Testing
import UnitModel

@testable import Session

@Suite struct SessionCommandTests {
  private let filter: FilterUnit
  private let midi: AudioUnit
  private let control: SessionControl

  init() async throws {
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry()).build(
      try SessionConfiguration(
        toml: """
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
      units: plan.graph.nodes.map { ($0.id, $0.unit) }, sampleRate: nil
    ) { SessionStatus(client: "x", server: "default", units: 2) }
  }

  private func refusal(_ command: SessionCommand) throws -> String {
    var refusal = ""
    do throws(SessionCommandError) {
      let answer = try control.carryOut(command)
      Issue.record("\(command): \(answer)")
    } catch { refusal = error.description }
    return refusal
  }

  private func value(_ path: String) throws -> Float? {
    guard case .parameter(let reading) = try control.carryOut(.get(path: path)) else { return nil }
    return reading.value
  }

  @Test func unitsAndParametersAreListed() throws {
    guard case .units(let units) = try control.carryOut(.list(path: nil)) else { throw Missing() }
    #expect(units.map(\.id) == ["lowpass", "keys"])
    #expect(units.map(\.component) == ["filter", "midi"])
    #expect(units.map(\.preset) == ["Warm", nil])
    func paths(_ path: String) throws -> [String] {
      guard case .parameters(let found) = try control.carryOut(.list(path: path)) else { return [] }
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
    #expect(try control.carryOut(.set(path: "lowpass/cutoff", value: value)) == .done)
    #expect(try self.value("lowpass/cutoff") == number)
  }

  @Test func choicesAreSetByTheirNamesAndToldByThem() throws {
    let parameter = try #require(
      midi.parameterTree.allParameters.first {
        !$0.valueStrings.isEmpty && $0.flags.contains(.writable)
      })
    let path = "keys/" + parameter.keyPath.replacing(".", with: "/")
    for name in parameter.valueStrings {
      _ = try control.carryOut(.set(path: path, value: .string(name.uppercased())))
      guard case .parameter(let reading) = try control.carryOut(.get(path: path)) else {
        throw Missing()
      }
      #expect(reading.text == name)
    }
    #expect(
      try refusal(.set(path: path, value: .string("nonsense"))).contains(parameter.valueStrings[0]))
    for (text, value) in [("on", Float(1)), ("false", 0), ("1", 1)] {
      _ = try control.carryOut(.set(path: "keys/midi/transpose/bypass", value: .string(text)))
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
  func wrongPathsAreToldWithTheRightOnes(path: String, message: String, accepted: String) throws {
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

  @Test func whatNeedsFramesIsRefusedWithoutAServer() throws {
    let text = try refusal(.set(path: "lowpass/cutoff", value: .number(900), frame: 48_000))
    #expect(text.contains("no JACK server"))
  }

  @Test func rampsAndFramesAreChecked() throws {
    let control = SessionControl(units: control.units, sampleRate: 48_000, status: control.status)
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
      #expect { try control.carryOut(command) } throws: { "\($0)".contains(message) }
    }
  }

  @Test func observersHearOfWhatIsSet() throws {
    let told = Told()
    let parameter = try #require(filter.parameterTree.parameter(keyPath: "cutoff"))
    let token = parameter.token(byAddingParameterObserver: { _, value in told.add(value) })
    _ = try control.carryOut(.set(path: "lowpass/cutoff", value: .number(777)))
    _ = try refusal(.set(path: "lowpass/cutoff", value: .number(-777)))
    #expect(told.values == [777])
    parameter.removeParameterObserver(token)
  }
}

/// What an observer was told.
private final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [Float] = []
  var values: [Float] { lock.withLock { all } }
  func add(_ value: Float) { lock.withLock { all.append(value) } }
}

@Suite struct SessionLineTests {
  @Test(arguments: [
    SessionCommand.list(path: nil), .list(path: "a/b"), .get(path: "a/b"), .status,
    .set(path: "a/b", value: .number(-1.5)), .set(path: "a/b", value: .boolean(true)),
    .set(path: "a/b", value: .string("Zoë \"\n"), rampMilliseconds: 20, frame: 1 << 40),
  ])
  func commandsSurviveTheWay(command: SessionCommand) throws {
    let line = SessionLine.encode(command)
    #expect(!line.contains(10))
    #expect(try SessionLine.command(line) == command)
  }

  @Test(arguments: [
    ("", "no JSON object"), ("[]", "no JSON object"), ("{", "no JSON object"),
    ("{}", "without a command"),
    (#"{"command": 1}"#, "without a command"), (#"{"command": "lst"}"#, "did you mean 'list'?"),
    (#"{"command": "get"}"#, "needs a text as its 'path'"),
    (
      #"{"command": "get", "path": "a", "pth": "b"}"#,
      "unknown key 'pth' in 'get': did you mean 'path'?"
    ),
    (#"{"command": "set", "path": "a"}"#, "as its 'value'"),
    (#"{"command": "set", "path": "a", "value": null}"#, "as its 'value'"),
    (#"{"command": "set", "path": "a", "value": [1]}"#, "as its 'value'"),
    (#"{"command": "set", "path": "a", "value": 1, "frame": 1.5}"#, "a whole number"),
    (#"{"command": "set", "path": "a", "value": 1, "frame": 1e99}"#, "a whole number"),
    (#"{"command": "set", "path": "a", "value": 1, "ramp": "x"}"#, "a number of milliseconds"),
    (#"{"command": "list", "path": 7}"#, "needs a text"),
    ("\u{0}", "no JSON object"),
    (String(repeating: "[", count: 60_000), "no JSON object"),
    (String(repeating: #"{"a":"#, count: 10_000), "no JSON object"),
  ])
  func malformedLinesAreToldWhatIsWrong(line: String, message: String) throws {
    #expect { try SessionLine.command(Array(line.utf8)) } throws: { "\($0)".contains(message) }
  }

  @Test func damagedLinesAreRefusedOrUnderstood() throws {
    var random = SeededRandom(seed: 1)
    let line = SessionLine.encode(
      .set(path: "a/b", value: .number(-1.5), rampMilliseconds: 20, frame: 7))
    for _ in 0..<2000 {
      var damaged = line
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = try? SessionLine.command(damaged)
    }
  }

  @Test func answersSurviveTheWay() throws {
    let filter = try FilterUnit()
    let reading = ParameterReading(filter.parameterTree.allParameters[0], of: "x")
    var status = SessionStatus(client: "c", server: "s", units: 1)
    status.counts = ["a: 1"]
    for answer in [
      SessionAnswer.done, .units([UnitReading(filter, id: "x")]), .parameters([reading, reading]),
      .parameters([]), .parameter(reading), .status(status),
    ] {
      #expect(try SessionLine.answer(SessionLine.encode(.success(answer))) == answer)
    }
    let error = SessionCommandError("wrong", accepted: "right")
    #expect(throws: error) { try SessionLine.answer(SessionLine.encode(.failure(error))) }
  }
}
