// A session that is told what to do, and what it says and becomes of it as a text.

import Foundation
import Remotes
import TestSupport

@testable import Session
@testable import SessionModel

/// A session that is asked by the lines of its socket, one after the other.
public protocol AskedSession {
  /// - Returns: an answer to each line.
  func answers(_ lines: [[UInt8]]) async throws -> [[UInt8]]

  /// Lets some time pass.
  func wait() async throws
}

/// Asks a session that plays, and writes what is asked, answered, recorded and saved: all but
/// frames and times, so that the text is the same at each run.
final class SessionRun {
  private let session: any AskedSession
  private let folder: URL
  private(set) var text = ""
  private var toldChanges = 0
  /// The entry that each whole scene has.
  private var entryOfScene: [String: String] = [:]
  private(set) var counts: [RandomCommands.Kind: (done: Int, refused: Int)] = [:]

  static let configuration = """
    [client]
    name = "run"
    [[unit]]
    id = "tone"
    component = "tone"
    [[unit]]
    id = "lowpass"
    component = "filter"
    preset = "Prominent"
    [[unit]]
    id = "echo"
    component = "delay"
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "a.sf2"
    midi = [ { stage = "transpose", semitones = 3 } ]
    [[unit]]
    id = "keys"
    component = "sampler"
    soundfont = "a.sf2"
    [[unit.entry]]
    number = 0
    name = "Soft"
    parameters = { gain = -12 }
    [[unit.entry]]
    number = 1
    name = "Hard"
    soundfont = "b.sf2"
    parameters = { gain = 3, pan = 20 }
    [[unit]]
    id = "desk"
    component = "mixer"
    [[connect]]
    from = "tone"
    to = "lowpass"
    [[connect]]
    from = "lowpass"
    to = "desk"
    [[connect]]
    from = "piano"
    to = "echo"
    [[connect]]
    from = "echo"
    to = "desk"
    [[connect]]
    from = "keys"
    to = "desk"
    [[connect]]
    from = "desk"
    to = "physical:outputs"

    """

  /// - Parameter folder: the one of its files.
  init(_ session: any AskedSession, folder: URL) {
    (self.session, self.folder) = (session, folder)
  }

  /// One that is not written.
  private func ask(_ command: SessionCommand) async throws -> SessionAnswer {
    try SessionWire.answer(try await session.answers([SessionWire.encode(command)])[0])
  }

  // MARK: Commands

  /// Has the session do something, and waits until it is done for all who look.
  ///
  /// - Returns: whether all of it was accepted.
  @discardableResult
  func execute(_ number: Int, _ act: RandomCommands.Act) async throws -> Bool {
    let before = try await status()
    let commands = act.commands.map { keepingEntry($0, before) }
    let lines = try await session.answers(commands.map { SessionWire.encode($0) })
    var isDone = true
    for (command, line) in zip(commands, lines) {
      write("\(number) \(String(decoding: SessionWire.encode(command), as: UTF8.self))")
      var answer: SessionAnswer?
      do { answer = try SessionWire.answer(line) } catch { isDone = false }
      try await settle(command, answer, before)
      let mark = try await status().isDirty ? "*" : "="
      write(" \(mark) \(String(decoding: line, as: UTF8.self))")
    }
    counts[act.kind, default: (0, 0)].done += isDone ? 1 : 0
    counts[act.kind, default: (0, 0)].refused += isDone ? 0 : 1
    return isDone
  }

  /// A whole scene keeps the entry that it has, so that it is known which one is to come whenever
  /// the scene is loaded again.
  private func keepingEntry(_ command: SessionCommand, _ now: SessionStatus) -> SessionCommand {
    guard case .scene(.save(let name, let paths)) = command, paths.isEmpty, !name.isEmpty else {
      return command
    }
    let entry = Self.entry(now)
    guard entryOfScene[name] ?? entry == entry else {
      return .scene(.save("Part", paths: ["keys/gain", "desk/volume"]))
    }
    entryOfScene[name] = entry
    return command
  }

  // MARK: Waiting

  private func status() async throws -> SessionStatus {
    guard case .status(let status) = try await ask(.status) else { throw NoStatus() }
    return status
  }

  private struct NoStatus: Error {}

  /// The frame at which the session is.
  var now: Int64 { get async throws { try await status().frame ?? 0 } }

  private static func entry(_ status: SessionStatus) -> String? {
    status.unitStatus?.first { $0.id == "keys" }?.preset ?? nil
  }

  /// Waits until cycles have taken what was sent, ramps are over, and an entry has taken over.
  private func settle(
    _ command: SessionCommand, _ answer: SessionAnswer?, _ before: SessionStatus
  ) async throws {
    var first: Int64 = 0
    if case .frame(let frame)? = answer, frame < RandomCommands.never { first = frame }
    var seen: Set<Int64> = []
    try await wait("cycles") {
      if let frame = try await status().frame, frame > first { seen.insert(frame) }
      return seen.count > 3
    }
    guard let answer else { return }
    if case .set(let path, .number(let value), _?, nil, _) = command {
      try await wait("\(path) at \(value)") {
        guard case .parameter(let reading) = try await ask(.get(path: path)) else { return false }
        return reading.value == Float(value)
      }
    }
    guard let entry = entry(behind: command, answer) else { return }
    try await wait("entry \(entry)") { Self.entry(try await status()) == entry }
  }

  /// The entry that a command selects by itself; nil for one that does not.
  private func entry(behind command: SessionCommand, _ answer: SessionAnswer) -> String? {
    let names = ["Soft", "Hard"]
    switch command {
    case .entry(_, .number(let number), nil): return names[number]
    case .entry(_, .name(let name), nil): return name
    case .scene(.load(let name, _)): return entryOfScene[name]
    case .redo:
      guard case .changes(let changes) = answer else { return nil }
      for change in changes.reversed() {
        if change.path == "keys", let number = change.text.wholeMatch(of: /keys: entry (\d)/)?.1 {
          return names[Int(number) ?? 0]
        }
        if let name = change.text.wholeMatch(of: /scene '(\w+)'/)?.1 {
          if let entry = entryOfScene[String(name)] { return entry }
        }
      }
      return nil
    default: return nil
    }
  }

  private func wait(_ what: String, until isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while try await !isSo() {
      guard ContinuousClock.now < end else {
        throw RigError.timedOut(waitingFor: what, output: String(text.suffix(2_000)))
      }
      try await session.wait()
    }
  }

  // MARK: The text

  /// Writes what was recorded since the last time, and the session as it would be saved.
  func writeState() async throws {
    guard case .journal(let journal) = try await ask(.journal(since: nil)) else { throw NoStatus() }
    write("history:")
    for change in journal.changes where change.number >= toldChanges {
      write("  \(change.source.rawValue) \(change.path): \(change.text)")
    }
    toldChanges = (journal.changes.last?.number ?? -1) + 1
    guard case .saved(let saved) = try await ask(.save(file: nil)) else { throw NoStatus() }
    write("document:")
    let text = try String(contentsOfFile: saved.file, encoding: .utf8)
    for line in text.components(separatedBy: "\n") where !line.isEmpty {
      write("  \(line)")
      // Its name has a sum of what is in it, and that has the folder's name.
      guard let name = line.wholeMatch(of: /state = "(.+)"/)?.1 else { continue }
      let state = try String(
        contentsOf: folder.appendingPathComponent(String(name)), encoding: .utf8)
      for line in state.components(separatedBy: "\n") { write("    \(line)") }
    }
  }

  /// How many commands of each kind were done and refused.
  func writeCounts() {
    write("commands that were done, and refused:")
    for kind in RandomCommands.Kind.allCases {
      let (done, refused) = counts[kind] ?? (0, 0)
      write("  \(kind) \(done) \(refused)")
    }
  }

  private func write(_ line: String) {
    var line = line.replacing(folder.path, with: "FOLDER")
    line.replace(/"frame":\d+/, with: "\"frame\":FRAME")
    line.replace(/frame \d{4,}/, with: "frame FRAME")
    line.replace(/session is at \d+/, with: "session is at FRAME")
    line.replace(/accepted: \d{5,} to \d{5,}/, with: "accepted: FRAME to FRAME")
    line.replace(/\.[0-9a-f]{12}\.aupreset/, with: ".SUM.aupreset")
    text += line + "\n"
  }
}
