// JSON lines between a session and its clients.

import BuiltInUnits
import Configuration
import Effects
import Foundation
import SessionTestSupport
import TestSupport
import Testing
import UnitModel

@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct SessionWireTests {
  /// Examples of all commands.
  private static let commands: [SessionCommand] = [
    .hello(name: "Anna"), .hello(), .choices(), .choices(of: "a"),
    .response(unit: "a"), .response(unit: "a", at: [20, -0.5]),
    .waveform(unit: "a"),
    .view(unit: "a"),
    .view(
      unit: "a",
      configurations: [ViewConfiguration(width: 400, height: 1, hostHasController: true)]),
    .gesture(path: "a/b", isOn: true), .gesture(path: "a/b", isOn: true, with: ["a/c"]),
    .journal(from: 5),
    .watch(paths: ["*"], topics: [.graph, .load]), .list(path: nil), .list(path: "a/b"),
    .get(path: "a/b"), .status,
    .set(path: "a/b", value: .number(-1.5)), .set(path: "a/b", value: .boolean(true)),
    .watch(paths: ["a", "b/c"]), .watch(paths: [], meters: ["*"]),
    .watch(paths: [], midi: ["a", "*"]),
    .watch(paths: [], spectra: ["a", "b"]), .watch(paths: [], spectra: ["a"], scopes: ["b"]),
    .bypass(unit: "a", isOn: false),
    .panic,
    .connect(from: "a", to: "b:midi"), .disconnect(from: "x:y_*", to: "a"),
    .add(unit: "a", component: "filter", settings: ["preset=Warm"]),
    .replace(unit: "a", component: "aufx/lpas/Aurc"), .remove(unit: "a"),
    .remove(unit: "a", ringsOut: true), .mappings,
    .place(unit: "a", BoxPosition(x: -1.5, y: 1e5)), .place(unit: "a", nil),
    .map(path: "a/b", settings: ["controller=74", "range=[1, 2]"]), .unmap(path: "a/b"),
    .learn(path: "a/b", settings: ["mode=toggle"], .init(timeoutSeconds: 5, takesNotes: true)),
    .journal(since: nil), .journal(since: 1 << 40),
    .set(path: "a/b", value: .number(1), reportsFrame: true),
    .scene(.list), .scene(.load("Verse")), .scene(.load("Verse", frame: 5)), .scene(.save("Verse")),
    .scene(.delete("a \"b\"")),
    .scene(.save("Verse", paths: ["a", "b/c"])),
    .preset(unit: "a", .list), .preset(unit: "a", .load("b")), .preset(unit: "a", .save("b")),
    .preset(unit: "a", .delete("")), .soundFont(unit: "a", file: "b.sf2"),
    .soundFont(unit: "a", file: "b.sf2", bank: 1, program: 2), .entry(unit: "a", .number(3)),
    .entry(unit: "a", .name("3"), frame: 5),
    .save(file: nil), .save(file: "/a b/c.toml"), .undo(steps: 3), .undo(to: 7), .redo(steps: 1),
    .set(path: "a/b", value: .string("Zoë \"\n"), rampMilliseconds: 20, frame: 1 << 40),
    .together([.unmap(path: "a/b"), .remove(unit: "a")]), .together([.panic], frame: 5),
    .midi(unit: "a", bytes: [144, 60, 1]), .midi(unit: "a", bytes: [], frame: 5),
  ]

  @Test(arguments: SessionWireTests.commands)
  func commandsSurviveTheWay(command: SessionCommand) throws {
    let line = SessionWire.encode(command)
    #expect(!line.contains(10))
    #expect(try SessionWire.command(line) == command)
  }

  /// Compares the cases in the source with the examples, and their forms with all forms.
  @Test func eachCommandHasAForm() throws {
    let source = try String(
      contentsOf: ReadyConfigurations.folder.deletingLastPathComponent()
        .appendingPathComponent("Sources/SessionModel/Command/SessionCommand.swift"),
      encoding: .utf8)
    let cases = Set(source.matches(of: /\n  case (\w+)/).map { String($0.output.1) })
    #expect(cases.count > 20)
    #expect(cases == Set(Self.commands.map { String("\($0)".prefix { $0.isLetter }) }))
    #expect(Set(Self.commands.map(\.written.form.name)) == Set(CommandForm.all.map(\.name)))
  }

  @Test(arguments: SessionWireTests.commands)
  func onlyStructuralCommandsHaveAChange(command: SessionCommand) throws {
    let kinds = try BuiltInComponents.makeRegistry().configurableUnits
    let change = try SessionControl.change(command, kinds, ConnectionEnds(units: []))
    #expect((change != nil) == (command.effect == .structure))
  }

  @Test(arguments: [
    ("", "no JSON object"), ("[]", "no JSON object"), ("{", "no JSON object"),
    ("{}", "without a command"),
    (#"{"command": 1}"#, "without a command"), (#"{"command": "lst"}"#, "did you mean 'list'?"),
    (#"{"command": "get"}"#, "a 'path' is needed; accepted: a text"),
    (
      #"{"command": "get", "path": "a", "pth": "b"}"#,
      "unknown key 'pth' in 'get': did you mean 'path'?"
    ),
    (#"{"command": "set", "path": "a"}"#, "a 'value' is needed"),
    (#"{"command": "set", "path": "a", "value": null}"#, "a 'value' is needed"),
    (#"{"command": "set", "path": "a", "value": [1]}"#, "a 'value' is needed"),
    (#"{"command": "set", "path": "a", "value": 1, "frame": 1.5}"#, "a whole number"),
    (#"{"command": "set", "path": "a", "value": 1, "frame": 1e99}"#, "a whole number"),
    (#"{"command": "set", "path": "a", "value": 1, "ramp": "x"}"#, "a number of milliseconds"),
    (#"{"command": "list", "path": 7}"#, "a text"),
    (#"{"command": "undo", "steps": "2"}"#, "a whole number"),
    (#"{"command": "save", "file": 7}"#, "a text"),
    (#"{"command": "watch", "paths": "a"}"#, "a list of texts"),
    (#"{"command": "place", "unit": "a", "place": [1]}"#, "two numbers"),
    (#"{"command": "place", "unit": "a", "place": [1, 2, 3]}"#, "two numbers"),
    (#"{"command": "place", "unit": "a", "place": [1, 100001]}"#, "two numbers"),
    (#"{"command": "place", "unit": "a", "place": [1e999, 1]}"#, "two numbers"),
    (#"{"command": "place", "unit": "a", "place": {"x": 1, "y": 2}}"#, "two numbers"),
    (#"{"command": "bypass", "unit": "a", "on": 1}"#, "true or false"),
    (#"{"command": "preset", "unit": "a", "action": "lod"}"#, "did you mean 'load'?"),
    (#"{"command": "preset", "unit": "a", "action": "load"}"#, "a 'name' is needed"),
    (#"{"command": "scene", "action": "sav"}"#, "unknown action 'sav' in 'scene'"),
    (#"{"command": "scene", "action": "load", "name": "a", "paths": []}"#, "'paths' say what"),
    (#"{"command": "entry", "unit": "a", "entry": 1.5}"#, "a name or a number"),
    (#"{"command": "soundfont", "unit": "a", "file": "b", "bank": "0"}"#, "a whole number"),
    (#"{"command": "together"}"#, "a 'commands' is needed; accepted: a list of commands"),
    (#"{"command": "together", "commands": 7}"#, "'commands' is none; accepted: a list of"),
    (#"{"command": "together", "commands": [{"command": "get"}]}"#, "a 'path' is needed"),
    ("\u{0}", "no JSON object"),
    (String(repeating: "[", count: 60_000), "no JSON object"),
    (String(repeating: #"{"a":"#, count: 10_000), "no JSON object"),
  ])
  func malformedLinesAreRefusedWithTheFault(line: String, message: String) throws {
    #expect { try SessionWire.command(Array(line.utf8)) } throws: { "\($0)".contains(message) }
  }

  @Test func damagedLinesAreRefusedOrUnderstood() throws {
    var random = SeededRandom(seed: 1)
    let line = SessionWire.encode(
      .set(path: "a/b", value: .number(-1.5), rampMilliseconds: 20, frame: 7))
    for _ in 0..<2000 {
      var damaged = line
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = try? SessionWire.command(damaged)
    }
  }

  /// Their line is written without an encoder.
  @Test func levelsSurviveTheWay() throws {
    let filter = try FilterUnit()
    func levels(_ peaks: [Float], _ inputs: [Int], _ outputs: [Int]) -> UnitMeters {
      UnitMeters(
        of: filter, peaks: peaks, inputChannels: inputs, outputChannels: outputs, latency: 17)
    }
    var reduced = levels([0.7, 0.1, 1], [2], [1])
    for reduction in [-12.3, 0, 0.1, 1e30, -7] as [Float] {
      reduced.reduction = reduction
      let reading = MeterReading(
        frame: .max, frames: 960,
        units: [
          "a-1": levels([], [], []), "b_2": levels([0.3, 2, 0.01], [], [1, 2]), "c": reduced,
          "d": levels([0, 1e-9, .infinity], [1, 1], [1]),
        ])
      let line = SessionWire.encode(.meters(reading))
      #expect(try SessionWire.notice(line) == .meters(reading))
      #expect(!line.contains(UInt8(ascii: "\n")))
    }
    // Not a number that JSON lacks.
    reduced.reduction = .nan
    let reading = MeterReading(frame: 0, frames: 1, units: ["c": reduced])
    reduced.reduction = 0
    #expect(
      try SessionWire.notice(SessionWire.encode(.meters(reading)))
        == .meters(MeterReading(frame: 0, frames: 1, units: ["c": reduced])))
    let none = MeterReading(frame: 0, frames: 1, units: [:])
    #expect(try SessionWire.notice(SessionWire.encode(.meters(none))) == .meters(none))
  }

  @Test func answersSurviveTheWay() throws {
    let filter = try FilterUnit()
    let reading = ParameterReading(filter.parameterTree.allParameters[0], of: "x")
    var status = SessionStatus(client: "c", server: "s", units: 1)
    status.counts = ["a: 1"]
    for answer in [
      SessionAnswer.done, .units([UnitReading(filter, id: "x")]), .parameters([reading, reading]),
      .parameters([]), .parameter(reading), .status(status),
      .presets([PresetReading(name: "a", number: -1, isCurrent: true)]),
      .presets([PresetReading(name: "a", number: 1025, isCurrent: false, sound: (8, 1))]),
      .saved(SaveReading(file: "/a", backup: nil)), .saved(SaveReading(file: "/a", backup: "/a~")),
      .changes([ChangeReading(path: "a/b", text: "c", isUndone: true)]),
    ] {
      #expect(try SessionWire.answer(SessionWire.encode(.success(answer))) == answer)
    }
    let levels = UnitMeters(
      of: filter, peaks: [1, 0.5, 0, .nan], inputChannels: [2], outputChannels: [1, 1], latency: 3)
    #expect(levels.inputs == [[0, -6]] && levels.outputs == [[-200], [200]])
    for notice in [
      SessionNotice.change(reading), .bypass(BypassReading(unit: "x", on: true)),
      .meters(MeterReading(frame: 1, frames: 2, units: ["x": levels])),
      .spectra(SpectrumReading(frame: 1 << 40, units: [:])),
      .spectra(
        SpectrumReading(
          frame: 5,
          units: [
            "x": .init(
              levels: [-200, 0, -12.3], rms: -3,
              loudness: .init(momentary: 1.5, shortTerm: -23, integrated: -200),
              wave: .init(
                sampleRate: 44_100, peak: 0.25, left: [0, 1000, -999], right: [-1000, 0, 7])),
            "y-1_a": .init(
              levels: [], rms: 200, loudness: .init(momentary: 0, shortTerm: 0, integrated: 0),
              wave: .init(sampleRate: 48_000, peak: 1e-7, left: [], right: [])),
          ])),
      .midi(MIDIReading(frame: 1, sampleRate: 48_000, units: [:])),
      .midi(
        MIDIReading(
          frame: 1 << 40, sampleRate: 48_000,
          units: [
            "x": .init(
              events: [
                .init(frame: 7, bytes: [144, 60, 1], byteCount: 3, isSent: false, cable: 0),
                .init(frame: -1, bytes: [], byteCount: 0, isSent: true, cable: 3),
              ], lost: 2), "y-1_a": .init(events: [], lost: 0),
          ])),
    ] {
      #expect(try SessionWire.notice(SessionWire.encode(notice)) == notice)
    }
    #expect(try SessionWire.notice(SessionWire.encode(.success(.done))) == nil)
    let error = SessionCommandError("wrong", accepted: "right")
    #expect(throws: error) { try SessionWire.answer(SessionWire.encode(.failure(error))) }
    #expect(throws: error) { try SessionWire.notice(SessionWire.encode(.failure(error))) }
  }
}
