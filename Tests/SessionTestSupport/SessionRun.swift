// A run of commands to a session, written as a text.

import Foundation
import Remotes
import TestSupport

@testable import Session
@testable import SessionModel

/// A session that answers the lines of its socket, one after the other.
public protocol AskedSession {
  /// Sends lines to the session.
  ///
  /// - Returns: an answer to each line.
  func answers(_ lines: [[UInt8]]) async throws -> [[UInt8]]

  /// Lets some time pass.
  func wait() async throws
}

/// Sends commands to a running session. Writes the commands, answers, journal and saved document,
/// without frames and times, so that the text is the same in each run.
final class SessionRun {
  private let session: any AskedSession
  private let folder: URL
  private(set) var text = ""
  private var toldChanges = 0
  /// The entry stored in each whole scene.
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

  /// - Parameter folder: the folder of the session's files.
  init(_ session: any AskedSession, folder: URL) {
    (self.session, self.folder) = (session, folder)
  }

  /// Sends a command that is not written to the text.
  private func ask(_ command: SessionCommand) async throws -> SessionAnswer {
    try SessionWire.answer(try await session.answers([SessionWire.encode(command)])[0])
  }

  // MARK: Commands

  /// Executes an act, writes it, and waits until its effects have settled.
  ///
  /// - Returns: whether all of its commands were accepted.
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

  /// Keeps the entry of a whole scene the same when it is saved again, so that the entry is known
  /// whenever the scene is loaded. With another entry a part of the session is saved instead.
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

  /// The session's current frame.
  var now: Int64 { get async throws { try await status().frame ?? 0 } }

  private static func entry(_ status: SessionStatus) -> String? {
    status.unitStatus?.first { $0.id == "keys" }?.preset ?? nil
  }

  /// Waits until the commands have reached the render thread, ramps have ended, and an entry has
  /// taken over.
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

  /// Returns the entry that a command selects; nil for other commands.
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

  /// Writes the changes recorded since the last call, and the document as it would be saved.
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
      // A state's name contains a checksum of its content, and the content names the folder.
      guard let name = line.wholeMatch(of: /state = "(.+)"/)?.1 else { continue }
      let state = try String(
        contentsOf: folder.appendingPathComponent(String(name)), encoding: .utf8)
      for line in state.components(separatedBy: "\n") { write("    \(line)") }
    }
  }

  /// Writes the counts of accepted and refused commands by kind.
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
