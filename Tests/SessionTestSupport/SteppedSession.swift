// A session whose time is stepped by a test.

import BuiltInUnits
import Configuration
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

/// A session that runs as on a JACK server, but is rendered by calls, cycle by cycle. A test
/// requests the frames, independently of the machine's clock.
public final class SteppedSession: Sendable {
  /// The period, in frames.
  public let period: Int
  public let log = LogRecorder()
  private let host: OfflineHost
  private let time = SteppedTime()
  private let editor: SessionEditor
  private let history: SessionHistory
  private let requests = SessionDoor<SessionRequest>()
  private let isEnding = Atomic(false)
  private let running = Mutex<Task<String?, Never>?>(nil)
  private let state: Mutex<State>

  /// The test's own requests, as a remote.
  private final class Requests: SessionRemote {
    let requests: SessionDoor<SessionRequest>?

    init(_ requests: SessionDoor<SessionRequest>) { self.requests = requests }
  }

  private struct State {
    /// The rendered samples, by output port.
    var audio: [String: [Float]] = [:]
    /// Messages still to be played, by input port.
    var midi: [String: [OfflineBackend.TimedMIDI]] = [:]
    var frame: Int64 = 0
  }

  /// - Parameters:
  ///   - file: the session's file.
  ///   - sampleRate: in hertz.
  ///   - period: in frames.
  ///   - followsFile: whether the session follows its file.
  ///   - settings: settings beside the file, as with `--set`.
  ///   - isOffline: whether units have everything ready on its frame, as in a bounce.
  ///   - socket: the source of other clients' commands; nil for none.
  ///   - osc: the source of commands from the network; nil for none.
  ///   - components: kinds of units besides the built-in ones.
  public init(
    _ file: URL, sampleRate: Double = 48_000, period: Int = 256,
    environment: [String: String] = [:], followsFile: Bool = false, settings: [String] = [],
    isOffline: Bool = true, socket: SessionSocket? = nil, osc: SessionOSC? = nil,
    components: [Component] = []
  ) async throws {
    let registry = try BuiltInComponents.makeRegistry()
    for component in components { try registry.register(component) }
    var builder = SessionBuilder(
      registry: registry,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    builder.settings = try settings.map { try UnitSetting($0) }
    let plan = try await builder.build(contentsOf: file)
    self.period = period
    host = try OfflineHost(plan, sampleRate: sampleRate, period: period, isOffline: isOffline)
    let options = JackSession.Options(followsFile: followsFile)
    let notices = RecentNotices()
    let session = JackSession(
      plan, options, on: host, time, notices, log: notices.recording(log.logger))
    editor = session.editor
    history = session.history
    state = Mutex(State())
    // From here on the session belongs to the task.
    nonisolated(unsafe) let own = session
    let others: [(any SessionRemote)?] = [Requests(requests), socket, osc]
    let remotes = others.compactMap(\.self)
    let task = Task.detached { [self] () -> String? in
      defer { own.stop() }
      // A limit in the machine's time, which passes while the session's time does not.
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
    // The session's time begins once the session looks for tasks.
    await look()
  }

  // MARK: Time

  /// The next frame to be rendered.
  public var frame: Int64 { state.withLock { $0.frame } }

  /// Returns the rendered samples of an output port, from the first frame on.
  public func audio(_ port: String) -> [Float] { state.withLock { $0.audio[port] ?? [] } }

  public var outputs: [String] { state.withLock { $0.audio.keys.sorted() } }

  /// Sends messages to an input port, on their frames.
  public func send(_ messages: [TestSupport.TimedMIDI], to port: String) {
    let messages = messages.map {
      OfflineBackend.TimedMIDI(frame: Int64($0.frame), bytes: $0.bytes)
    }
    state.withLock { $0.midi[port, default: []] += messages }
  }

  /// Renders cycles for the given number of frames.
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
          // A port is silent before it exists.
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

  /// Waits until the session has completed all pending tasks.
  private func look() async {
    try? await editor.commit {}
  }

  /// Steps until a condition holds, at most a minute of the machine's time. Messages from other
  /// threads take machine time.
  ///
  /// - Returns: whether it holds.
  public func step(until condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while await !condition() {
      guard ContinuousClock.now < end else { return false }
      try? await Task.sleep(for: .microseconds(500))
      await step(period)
    }
    return true
  }

  // MARK: Commands

  /// The answer to a command.
  public final class Answer: Sendable {
    fileprivate let result = Mutex<Result<SessionAnswer, SessionCommandError>?>(nil)

    /// Whether the answer has arrived.
    public var isThere: Bool { result.withLock { $0 != nil } }

    fileprivate let abandonment = Mutex<(@Sendable () -> Void)?>(nil)

    /// Disconnects the client before the answer.
    public func abandon() { abandonment.withLock { $0.take() }?() }
  }

  /// Sends a command, without waiting for its answer.
  public func begin(
    _ command: SessionCommand, by source: ChangeSource = .ctl, as client: String? = nil
  ) async -> Answer {
    let answer = Answer()
    requests.post(
      SessionRequest(
        command: command, answer: { result in answer.result.withLock { $0 = result } },
        whenAbandoned: { body in answer.abandonment.withLock { $0 = body } },
        author: ChangeAuthor(source, client: client)))
    await look()
    return answer
  }

  /// The notices of a watch.
  public final class Notices: Sendable {
    private let received = Mutex<[SessionNotice]>([])
    fileprivate let ending = Mutex<(@Sendable () -> Void)?>(nil)

    /// Removes and returns the notices so far.
    public func take() -> [SessionNotice] {
      received.withLock { received in
        defer { received = [] }
        return received
      }
    }

    fileprivate func add(_ notice: SessionNotice) { received.withLock { $0.append(notice) } }

    /// Ends the watch.
    public func end() { ending.withLock { $0.take() }?() }
  }

  /// Begins a watch, which lasts as long as its notices.
  public func watch(
    _ paths: [String] = [], meters: [String] = [], topics: [SessionCommand.WatchTopic] = [],
    midi: [String] = [], spectra: [String] = [], scopes: [String] = []
  ) async -> Notices {
    let notices = Notices()
    requests.post(
      SessionRequest(
        command: .watch(
          paths: paths, meters: meters, topics: topics, midi: midi, spectra: spectra,
          scopes: scopes),
        answer: { _ in },
        notify: { notices.add($0) }, whenGone: { end in notices.ending.withLock { $0 = end } }))
    await look()
    return notices
  }

  /// Executes a command, and steps until it is answered.
  ///
  /// - Throws: the refusal, or an error if there is no answer within a minute of session time.
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

  /// - Throws: an error if there is no answer within a minute of session time.
  public func result(
    of answer: Answer
  ) async throws -> Result<SessionAnswer, SessionCommandError> {
    let end = frame + Int64(60 * (host.sampleRate ?? 1))
    while true {
      if let given = answer.result.withLock({ $0 }) { return given }
      guard frame < end else { throw RigError.timedOut(waitingFor: "an answer", output: log.text) }
      // Work on other threads takes machine time.
      try await Task.sleep(for: .microseconds(500))
      await step(period)
    }
  }

  /// Executes a command, and waits for its answer while no frame passes.
  ///
  /// - Throws: the refusal, or an error if there is no answer.
  @discardableResult
  public func askAtOnce(_ command: SessionCommand) async throws -> SessionAnswer {
    let answer = await begin(command)
    guard await eventually({ answer.isThere }) else {
      throw RigError.timedOut(waitingFor: "\(command)", output: log.text)
    }
    return try await wait(for: answer)
  }

  /// Returns the error that refuses a command, or else its answer.
  public func refusal(_ command: SessionCommand) async -> String {
    do { return "\(try await ask(command))" } catch { return "\(error)" }
  }

  /// Undoes steps, and returns their descriptions.
  public func undo(_ steps: Int = 1) async throws -> [String] {
    try await changes(.undo(steps: steps))
  }

  /// Redoes steps, and returns their descriptions.
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

  /// Returns the value of a parameter.
  public func value(_ path: String) async throws -> Float? {
    guard case .parameter(let reading) = try await ask(.get(path: path)) else { return nil }
    return reading.value
  }

  /// Returns the journal's entries, the oldest first.
  public func journal(since frame: Int64? = nil) async throws -> [JournalReading.Change] {
    guard case .journal(let reading) = try await ask(.journal(since: frame)) else { return [] }
    return reading.changes
  }

  /// Returns the descriptions of pending changes.
  public func pending() async throws -> [String] {
    guard case .status(let status) = try await askAtOnce(.status) else { return [] }
    return status.pending?.map(\.text) ?? []
  }

  /// Whether a crash would lose changes.
  public var isUnsaved: Bool { history.isUnsaved }

  /// Ends the session.
  ///
  /// - Returns: the error that ended it; nil if there was none.
  @discardableResult
  public func end() async -> String? {
    isEnding.store(true, ordering: .releasing)
    await step(Int(host.sampleRate ?? 1) / 10)
    return await running.withLock { $0 }?.value
  }
}
