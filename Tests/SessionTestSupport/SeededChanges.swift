// All kinds of commands to a session, compared with a stored text.

import Foundation
import TestSupport
import Testing

@testable import Session
@testable import SessionModel

/// Compares runs with a stored text. `AURICLE_RENEW_TEXTS=1` rewrites it.
public enum SeededChanges {
  private static let kept = ReadyConfigurations.folder.deletingLastPathComponent()
    .appendingPathComponent("Tests/Fixtures/session-run/expected.txt")

  private static let renews = ProcessInfo.processInfo.environment["AURICLE_RENEW_TEXTS"] != nil

  /// Writes the session and its SoundFonts.
  ///
  /// - Returns: the session's file.
  public static func write(to directory: TemporaryDirectory) throws -> URL {
    for (name, level) in [("a", 0.0), ("b", 12)] {
      let zone = SoundFontMaker.Zone(sample: .constant(), attenuationDecibels: level)
      try SoundFontMaker(presets: [.init(name: name, zones: [zone])])
        .write(to: directory.file("\(name).sf2"))
    }
    return try directory.write(SessionRun.configuration, to: "session.toml")
  }

  /// Makes 100 random changes, and compares their text with the beginning of the stored one.
  public static func checkBeginning(_ session: any AskedSession, _ folder: URL) async throws {
    let run = SessionRun(session, folder: folder)
    try await execute(100, run, folder)
    let all = try String(contentsOf: kept, encoding: .utf8)
    compare(run.text, String(all.prefix(run.text.count)))
  }

  /// Makes changes of all kinds, and compares their text with the stored one.
  public static func check(_ session: any AskedSession, _ folder: URL) async throws {
    let run = SessionRun(session, folder: folder)
    try await execute(run, folder)
    for kind in RandomCommands.Kind.allCases {
      let (done, refused) = run.counts[kind] ?? (0, 0)
      #expect(done > 0 && (refused > 0 || kind == .panic), "\(kind): \(done), \(refused)")
    }
    if renews { try run.text.write(to: kept, atomically: true, encoding: .utf8) }
    compare(run.text, try String(contentsOf: kept, encoding: .utf8))
  }

  /// Commands for cases that random changes seldom reach.
  private static let stories: [SessionCommand] = [
    // A source's mix settings follow it to another input.
    .add(unit: "s1", component: "tone"), .add(unit: "s2", component: "tone"),
    .connect(from: "s1", to: "desk"), .set(path: "s1/mix/volume", value: .number(3)),
    .disconnect(from: "s1", to: "desk"), .connect(from: "s2", to: "desk"),
    .get(path: "s2/mix/volume"), .connect(from: "s1", to: "desk"), .get(path: "s1/mix/volume"),
    .undo(steps: 1), .redo(steps: 1), .get(path: "s1/mix/volume"),
    // A scene with an entry, values over it, a bypass and connections, undone and redone.
    .entry(unit: "keys", .number(0)), .set(path: "keys/gain", value: .number(-20)),
    .bypass(unit: "s1", isOn: true), .scene(.save("Story")), .entry(unit: "keys", .number(1)),
    .set(path: "keys/gain", value: .number(5)), .bypass(unit: "s1", isOn: false),
    .disconnect(from: "s2", to: "desk"), .scene(.load("Story")), .get(path: "keys/gain"),
    .undo(steps: 1), .get(path: "keys/gain"), .list(path: nil), .redo(steps: 1),
    .get(path: "keys/gain"), .list(path: nil), .undo(steps: 1), .list(path: nil),
    // A bypass, undone and redone.
    .bypass(unit: "s2", isOn: true), .undo(steps: 1), .list(path: nil), .redo(steps: 1),
    .list(path: nil),
  ]

  /// Makes `count` random changes.
  private static func execute(_ count: Int, _ run: SessionRun, _ folder: URL) async throws {
    var commands = RandomCommands(seed: 20, folder: folder.path)
    for number in 1...count {
      let act = commands.next(now: try await run.now)
      let isDone = try await run.execute(number, act)
      switch act.kind {
      case .connect, .disconnect, .add, .replace, .remove, .place, .map, .unmap, .undo, .redo,
        .save:
        if isDone { commands.beginSteps() }
      default: break
      }
      if number % 50 == 0 {
        try await run.writeState()
        commands.beginSteps()
      }
    }
  }

  private static func execute(_ run: SessionRun, _ folder: URL) async throws {
    try await execute(300, run, folder)
    for (index, command) in stories.enumerated() {
      try await run.execute(301 + index, .init(kind: .look, commands: [command]))
    }
    try await run.writeState()
    // Undone one by one, without the steps that cannot be undone.
    for number in 401...450 {
      try await run.execute(number, .init(kind: .undo, commands: [.undo(steps: 1)]))
    }
    try await run.writeState()
    for number in 451...500 {
      try await run.execute(number, .init(kind: .redo, commands: [.redo(steps: 1)]))
    }
    try await run.writeState()
    run.writeCounts()
  }

  private static func compare(_ text: String, _ expected: String) {
    let (lines, others) = (
      text.components(separatedBy: "\n"), expected.components(separatedBy: "\n")
    )
    guard let place = firstDifference(lines, others) else { return }
    let before = lines[max(0, place - 4)..<min(place, lines.count)].joined(separator: "\n")
    Issue.record(
      """
      line \(place + 1) is another one, behind
      \(before)
      it is       \(place < lines.count ? lines[place] : "missing")
      and was     \(place < others.count ? others[place] : "missing")
      AURICLE_RENEW_TEXTS=1 keeps the text as it is now
      """)
  }
}
