// `auricle ctl journal --commands`, and a shell that runs what it prints.

import Configuration
import Foundation
import SessionModel
import TestSupport
import Testing

@testable import Remotes
@testable import SessionTestSupport

@Suite struct JournalScriptTests {
  /// A session with files, presets and a socket of its own.
  private struct ScriptRig {
    let rig: ControlRig
    let socket: SessionSocket
    let session: SteppedSession

    init() async throws {
      rig = try ControlRig()
      socket = try SessionSocket(name: "played", in: rig.folder)
      let folder = rig.directory.url.path
      session = try await SteppedSession(
        try SeededChanges.write(to: rig.directory),
        environment: ["XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder], socket: socket)
      await session.step(4_800)
    }

    var folder: String { rig.directory.url.path }

    /// The session as it would be saved, without the name of its folder.
    var document: String {
      get async throws {
        let file = rig.directory.file("end.toml")
        try await session.ask(.save(file: file.path))
        return try String(contentsOf: file, encoding: .utf8).replacing(folder, with: "FOLDER")
          .replacing(/\.[0-9a-f]{12}\.aupreset/, with: ".SUM.aupreset")
      }
    }

    /// Runs a script, and steps the session meanwhile.
    func run(_ script: String) async throws {
      let file = try rig.directory.write(script, to: "script.sh")
      let programs = try builtProduct("auricle").deletingLastPathComponent().path
      let shell = try ChildProcess(
        URL(fileURLWithPath: "/bin/sh"), ["-e", file.path],
        environment: rig.environment.merging(["PATH": "\(programs):/usr/bin:/bin"]) { $1 })
      for _ in 0..<5 where shell.isRunning {
        _ = await session.step(until: { !shell.isRunning })
      }
      #expect(shell.exitStatus == .exited(0), "\(shell.transcript)\(script)")
    }

    /// The document of a session without changes.
    static func atStart() async throws -> String {
      let place = try await Self()
      let text = try await place.document
      await place.end()
      return text
    }

    func end() async {
      #expect(await session.end() == nil)
      socket.close()
    }
  }

  /// Compares a session with a new one after its script.
  private func replay(_ first: ScriptRig) async throws {
    let script = try await first.rig.ctl("journal", "--commands")
    let second = try await ScriptRig()
    try await second.run(script.replacing(first.folder, with: second.folder))
    let (wanted, played) = (try await first.document, try await second.document)
    #expect(played == wanted, "\(script)")
    #expect(try await ScriptRig.atStart() != wanted)
    await second.end()
    await first.end()
  }

  /// All kinds of changes.
  @Test func aScriptMakesTheSameSession() async throws {
    let place = try await ScriptRig()
    let commands: [SessionCommand] = [
      .set(path: "lowpass/cutoff", value: .number(800.5)),
      .set(path: "lowpass/resonance", value: .number(-2), rampMilliseconds: 20),
      .set(path: "tone/waveform", value: .number(2)),
      .set(path: "piano/gain", value: .string("-3 dB")),
      .bypass(unit: "echo", isOn: true), .preset(unit: "lowpass", .save("It's mine")),
      .preset(unit: "lowpass", .load("Warm")), .preset(unit: "lowpass", .load("It's mine")),
      .soundFont(unit: "piano", file: "\(place.folder)/b.sf2"), .entry(unit: "keys", .name("Hard")),
      .scene(.save("Verse")), .connect(from: "tone", to: "echo"),
      .disconnect(from: "piano", to: "echo"), .scene(.load("Verse")),
      .scene(.save("Part", paths: ["lowpass", "piano/gain"])),
      .add(unit: "u1", component: "filter", settings: ["parameters={ cutoff = 700 }"]),
      .add(unit: "u2", component: "delay"), .replace(unit: "u2", component: "distortion"),
      .remove(unit: "u1", ringsOut: true), .undo(),
      .together(
        [
          .set(path: "piano/gain", value: .number(-7.25)),
          .set(path: "lowpass/cutoff", value: .number(700), rampMilliseconds: 5),
        ], frame: place.session.frame + 480_000),
      .together([.connect(from: "tone", to: "u1"), .connect(from: "u1", to: "desk")]),
      .map(path: "lowpass/cutoff", settings: ["controller=74", "range=[200, 8000]"]),
      .map(path: "scene=Part", settings: ["program=3"]),
      .map(path: "desk/volume", settings: ["controller=7"]), .unmap(path: "desk/volume"),
      .place(unit: "lowpass", BoxPosition(x: -40, y: 20)),
      .place(unit: "tone", BoxPosition(x: 1, y: 2)),
      .place(unit: "tone", nil),
      .scene(.save("Gone")), .scene(.delete("Gone")), .panic, .undo(steps: 2), .redo(steps: 1),
    ]
    for command in commands {
      try await place.session.ask(command)
      // Until ramps have ended, and an entry has taken over.
      await place.session.step(9_600)
    }
    try await replay(place)
  }

  /// Random changes, many of which are undone and redone.
  @Test(arguments: [1, 2] as [UInt64])
  func aScriptOfRandomChangesMakesTheSameSession(seed: UInt64) async throws {
    let place = try await ScriptRig()
    let run = SessionRun(AskedSteps(session: place.session), folder: place.rig.directory.url)
    var commands = RandomCommands(seed: seed, folder: place.folder)
    var number = 0
    while number < 120 {
      let act = commands.next(now: try await run.now)
      // A save changes how a document is written, and a saved preset may be of undone changes.
      let isApart = act.commands.contains {
        switch $0 {
        case .save, .preset(_, .save), .preset(_, .delete): true
        default: false
        }
      }
      if isApart { continue }
      number += 1
      try await run.execute(number, act)
      commands.beginSteps()
    }
    try await replay(place)
  }
}

/// A session that answers one line after the other.
private struct AskedSteps: AskedSession {
  let session: SteppedSession

  func answers(_ lines: [[UInt8]]) async throws -> [[UInt8]] {
    var begun: [SteppedSession.Answer] = []
    for line in lines { begun.append(await session.begin(try SessionWire.command(line))) }
    var answers: [[UInt8]] = []
    for answer in begun {
      answers.append(SessionWire.encode(try await session.result(of: answer)))
    }
    return answers
  }

  func wait() async throws { await session.step(session.period) }
}
