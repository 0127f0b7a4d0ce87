// A session whose time a test steps.

import BuiltInUnits
import Files
import Foundation
import OfflineBackend
import OfflineHost
import Remotes
import Synchronization
import TestSupport
import UnitModel

@testable import Session
@testable import SessionModel

/// A session that runs as on a JACK server, but is rendered by the call: by frames that a test
/// wants, cycle by cycle, on no machine's clock.
public final class SteppedSession: Sendable {
  /// In frames.
  public let period: Int
  public let log = LogLines()
  private let host: OfflineHost
  private let time = SteppedTime()
  private let editor: SessionEditor
  private let history: SessionHistory
  private let requests = SessionDoor<SessionRequest>()
  private let isEnding = Atomic(false)
  private let running = Mutex<Task<String?, Never>?>(nil)
  private let state: Mutex<State>

  /// Those of a test.
  private final class Requests: SessionRemote {
    let requests: SessionDoor<SessionRequest>?

    init(_ requests: SessionDoor<SessionRequest>) { self.requests = requests }
  }

  private struct State {
    /// By output port, what was rendered.
    var audio: [String: [Float]] = [:]
    /// By input port, what is to come.
    var midi: [String: [OfflineBackend.TimedMIDI]] = [:]
    var frame: Int64 = 0
  }

  /// - Parameters:
  ///   - file: the session's.
  ///   - sampleRate: in hertz.
  ///   - period: in frames.
  ///   - followsFile: whether it follows its file.
  ///   - isOffline: whether units have all ready on its frame, as in a bounce.
  ///   - socket: where commands of other clients come from.
  ///   - osc: where those of the network come from.
  public init(
    _ file: URL, sampleRate: Double = 48_000, period: Int = 256,
    environment: [String: String] = [:], followsFile: Bool = false, isOffline: Bool = true,
    socket: SessionSocket? = nil, osc: SessionOSC? = nil
  ) async throws {
    let plan = try await SessionBuilder(
      registry: try BuiltInComponents.makeRegistry(),
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
    ).build(contentsOf: file)
    self.period = period
    host = try OfflineHost(plan, sampleRate: sampleRate, period: period, isOffline: isOffline)
    let options = JackSession.Options(followsFile: followsFile)
    let notices = RecentNotices()
    let session = JackSession(
      plan, options, on: host, time, notices, log: notices.recording(log.logger))
    editor = session.editor
    history = session.history
    state = Mutex(State())
    // From here on it belongs to the task.
    nonisolated(unsafe) let own = session
    let others: [(any SessionRemote)?] = [Requests(requests), socket, osc]
    let remotes = others.compactMap(\.self)
    let task = Task.detached { [self] () -> String? in
      defer { own.stop() }
      // The machine's time, which passes while the session's stands.
      return await FileWait.$current.withValue(FileWait(limit: .seconds(600))) {
        do throws(SessionError) {
          try await own.run(
            until: nil, remotes: remotes, isDone: { self.isEnding.load(ordering: .acquiring) })
          await own.end()
          return nil
        } catch { return "\(error)" }
      }
    }
    running.withLock { $0 = task }
    // Its time begins once it looks.
    await look()
  }

  // MARK: Time

  /// The next frame that is rendered.
  public var frame: Int64 { state.withLock { $0.frame } }

  /// What was rendered of an output port, from the first frame on.
  public func audio(_ port: String) -> [Float] { state.withLock { $0.audio[port] ?? [] } }

  public var outputs: [String] { state.withLock { $0.audio.keys.sorted() } }

  /// Has messages come to an input port on their frames.
  public func send(_ messages: [TestSupport.TimedMIDI], to port: String) {
    let messages = messages.map {
      OfflineBackend.TimedMIDI(frame: Int64($0.frame), bytes: $0.bytes)
    }
    state.withLock { $0.midi[port, default: []] += messages }
  }

  /// Renders cycles, until so many frames have passed.
  public func step(_ frames: Int) async {
    var left = frames
    while left > 0 {
      let count = min(left, period)
      render(count)
      time.advance(by: .seconds(Double(count) / (host.sampleRate ?? 1)))
      await look()
      left -= count
    }
  }

  private func render(_ count: Int) {
    let (frame, midi) = state.withLock { ($0.frame, $0.midi) }
    let pieces = host.render(count, midi: midi)
    state.withLock { state in
      var done = Int(frame)
      for piece in pieces {
        for (port, samples) in zip(piece.ports.audioOutputs, piece.audio) {
          // Before it was there, it was silent.
          let silent = max(0, done - (state.audio[port.name]?.count ?? 0))
          state.audio[port.name, default: []] += [Float](repeating: 0, count: silent)
          state.audio[port.name]? += samples
        }
        done += piece.frameCount
      }
      state.frame = frame + Int64(count)
      for port in state.midi.keys {
        state.midi[port]?.removeAll { $0.frame < state.frame }
      }
    }
  }

  /// Waits until the session has done all that has come so far.
  private func look() async {
    try? await editor.commit {}
  }

  // MARK: Commands

  /// An answer that is to come.
  public final class Answer: Sendable {
    fileprivate let result = Mutex<Result<SessionAnswer, SessionCommandError>?>(nil)

    /// Nil until it has come.
    public var isThere: Bool { result.withLock { $0 != nil } }

  }

  /// Begins a command.
  public func begin(
    _ command: SessionCommand, by source: ChangeSource = .ctl, as client: String? = nil
  ) async -> Answer {
    let answer = Answer()
    requests.post(
      SessionRequest(
        command: command, answer: { result in answer.result.withLock { $0 = result } },
        author: ChangeAuthor(source, client: client)))
    await look()
    return answer
  }

  /// Has a command carried out, and steps until it is answered.
  ///
  /// - Throws: that it was refused, or is not answered within a minute of the session.
  @discardableResult
  public func ask(
    _ command: SessionCommand, by source: ChangeSource = .ctl, as client: String? = nil
  ) async throws -> SessionAnswer {
    try await wait(for: begin(command, by: source, as: client))
  }

  @discardableResult
  public func wait(for answer: Answer) async throws -> SessionAnswer {
    try await result(of: answer).get()
  }

  /// - Throws: that it is not answered within a minute of the session.
  public func result(
    of answer: Answer
  ) async throws -> Result<SessionAnswer, SessionCommandError> {
    let end = frame + Int64(60 * (host.sampleRate ?? 1))
    while true {
      if let given = answer.result.withLock({ $0 }) { return given }
      guard frame < end else { throw RigError.timedOut(waitingFor: "an answer", output: log.text) }
      // What other threads do takes time of the machine.
      try await Task.sleep(for: .microseconds(500))
      await step(period)
    }
  }

  /// Has a command carried out, and waits for its answer while no frame passes.
  ///
  /// - Throws: that it was refused, or is not answered.
  @discardableResult
  public func askAtOnce(_ command: SessionCommand) async throws -> SessionAnswer {
    let answer = await begin(command)
    guard await eventually({ answer.isThere }) else {
      throw RigError.timedOut(waitingFor: "\(command)", output: log.text)
    }
    return try await wait(for: answer)
  }

  /// What a command is refused with; else its answer.
  public func refusal(_ command: SessionCommand) async -> String {
    do { return "\(try await ask(command))" } catch { return "\(error)" }
  }

  /// Takes steps back, and tells them in words.
  public func undo(_ steps: Int = 1) async throws -> [String] {
    try await changes(.undo(steps: steps))
  }

  /// Makes steps again, and tells them in words.
  public func redo(_ steps: Int = 1) async throws -> [String] {
    try await changes(.redo(steps: steps))
  }

  private func changes(_ command: SessionCommand) async throws -> [String] {
    guard case .changes(let changes) = try await ask(command) else { return [] }
    return changes.map(\.text)
  }

  public func units() async throws -> [UnitReading] {
    guard case .units(let units) = try await ask(.list(path: nil)) else { return [] }
    return units
  }

  /// The value of a parameter.
  public func value(_ path: String) async throws -> Float? {
    guard case .parameter(let reading) = try await ask(.get(path: path)) else { return nil }
    return reading.value
  }

  /// The journal's entries, the oldest first.
  public func journal(since frame: Int64? = nil) async throws -> [JournalReading.Change] {
    guard case .journal(let reading) = try await ask(.journal(since: frame)) else { return [] }
    return reading.changes
  }

  /// What is under way, in words.
  public func pending() async throws -> [String] {
    guard case .status(let status) = try await askAtOnce(.status) else { return [] }
    return status.pending?.map(\.text) ?? []
  }

  /// Whether something would be lost by a crash.
  public var isUnsaved: Bool { history.isUnsaved }

  /// Ends the session.
  ///
  /// - Returns: what ended it, if that was a fault.
  @discardableResult
  public func end() async -> String? {
    isEnding.store(true, ordering: .releasing)
    await step(Int(host.sampleRate ?? 1) / 10)
    return await running.withLock { $0 }?.value
  }
}
