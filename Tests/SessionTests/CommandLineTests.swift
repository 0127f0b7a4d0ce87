// Commands as arguments of `auricle ctl`.

import Configuration
import Foundation
import TestSupport
import Testing

@testable import SessionModel

@Suite struct CommandLineTests {
  @Test func eachCommandThatChangesSomethingHasALine() {
    let lines: [(SessionCommand, String)] = [
      (.set(path: "lowpass/cutoff", value: .number(800)), "set lowpass/cutoff 800"),
      (.set(path: "a/b", value: .number(-0.5), rampMilliseconds: 20), "set a/b -0.5 --ramp 20"),
      (.set(path: "a/b", value: .string("-3 dB"), frame: 5), "set a/b '-3 dB'"),
      (.set(path: "a/b", value: .boolean(true), reportsFrame: true), "set a/b true"),
      (.bypass(unit: "a", isOn: false), "bypass a off"),
      (.preset(unit: "a", .load("It's")), #"preset load a 'It'\''s'"#),
      (.preset(unit: "a", .save("Mine")), "preset save a Mine"),
      (.preset(unit: "a", .delete("$HOME `x`")), "preset delete a '$HOME `x`'"),
      (
        .soundFont(unit: "a", file: "/a b.sf2", bank: 1, program: 2),
        "soundfont a '/a b.sf2' --bank 1 --program 2"
      ),
      (.entry(unit: "a", .number(3), frame: 9), "entry a 3"),
      (.entry(unit: "a", .name("Soft")), "entry a Soft"),
      (.connect(from: "system:capture_*", to: "a"), "connect 'system:capture_*' a"),
      (.disconnect(from: "a", to: "b:1"), "disconnect a b:1"),
      (
        .add(unit: "a", component: "filter", settings: ["parameters={ cutoff = 9 }"]),
        "add a filter 'parameters={ cutoff = 9 }'"
      ),
      (.replace(unit: "a", component: "delay"), "replace a delay"),
      (.remove(unit: "a", ringsOut: true), "remove a --ring-out"),
      (.place(unit: "a", BoxPosition(x: 1.5, y: -20)), "place a 1.5 -20"),
      (.place(unit: "a", nil), "place a"),
      (.map(path: "scene=Verse", settings: ["program=3"]), "map scene=Verse program=3"),
      (.unmap(path: "a/b"), "unmap a/b"), (.scene(.load("Verse", frame: 7)), "scene load Verse"),
      (.scene(.save("", paths: ["a", "b/c"])), "scene save '' a b/c"),
      (.scene(.delete("Ü")), "scene delete 'Ü'"), (.panic, "panic"),
      (.together([.connect(from: "a", to: "b")], frame: 5), "connect a b"),
      (
        .together(
          [
            .set(path: "a/b", value: .number(1e-7), rampMilliseconds: 0.5),
            .set(path: "a/c", value: .number(-2)),
          ], frame: 5), "together set a/b 1e-07 --ramp 0.5 , set a/c -2"
      ),
    ]
    for (command, line) in lines { #expect(command.line == line) }
  }

  @Test func otherCommandsHaveNone() {
    let long = String(repeating: "a", count: SessionCommand.maximumLineLength)
    for command: SessionCommand in [
      .hello(), .list(path: nil), .get(path: "a"), .gesture(path: "a", isOn: true), .status,
      .midi(unit: "a", bytes: [144, 60, 1]), .save(file: nil), .undo(), .redo(steps: 1), .mappings,
      .journal(), .scene(.list), .preset(unit: "a", .list),
      .learn(path: "a", settings: [], .init()),
      // The program would read another command.
      .set(path: "a/b", value: .string("--ramp")), .preset(unit: "a", .load("-x")),
      .entry(unit: "a", .name("3")), .together([.set(path: "a", value: .string(","))]),
      .together([.set(path: "a", value: .number(1)), .undo()]),
      // No line shows them as they are.
      .preset(unit: "a", .load("b\nc")), .preset(unit: "a", .load("b\u{202e}c")),
      .preset(unit: "a", .load(long)),
    ] {
      #expect(command.line == nil, "\(command)")
    }
  }

  /// A shell reads the words that were meant, whatever is in them.
  @Test func aShellReadsTheWords() async throws {
    let name = #"a'b "c" $d `e` \f ! * ~ ; & | < > ( ) [ ] { } # ="#
    let commands: [SessionCommand] = [
      .scene(.load(name)), .scene(.load("~")), .scene(.load("=ls")), .scene(.load("#")),
      .scene(.load("")),
    ]
    let lines = try commands.map { "printf '%s|' \(try #require($0.line))" }
    let shell = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"), ["-c", lines.joined(separator: ";")])
    #expect(try await shell.wait() == .exited(0))
    let words = ["~", "=ls", "#", ""].map { "scene|load|\($0)|" }.joined()
    #expect(shell.standardOutput == "scene|load|\(name)|" + words)
  }
}
