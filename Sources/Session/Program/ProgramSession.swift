// A session that a program has made and changes.

import FoundationEssentials
import SessionModel
import Synchronization
import UnitModel

/// A session of a program's units, which runs in parallel with the program.
package final class ProgramSession: Sendable {
  /// An event of the session.
  package enum Change: Sendable, Hashable {
    case sampleRate(Int)
    case serverGone
    case serverBack(sampleRate: Int)
  }

  private let editor: SessionEditor
  private let clock = Clock()
  private let isEnding = Atomic(false)
  private let task: Mutex<Task<SessionError?, Never>?>
  private let running: RunningCopy
  /// "ready: CLIENT_NAME RATE Hz, PERIOD frames"
  package let readyLine: String
  package let clientName: String
  package let sampleRate: Int

  /// - Parameters:
  ///   - registry: makes the units that others add.
  ///   - start: makes a session that renders the plan.
  ///   - listen: returns the remote controls of the session.
  ///   - follow: called with the session's structure now and after each change, before that change
  ///     is answered.
  ///   - notify: called with events of the session, on any thread.
  /// - Throws: the mistake in the structure, or `SessionError`; everything that was started has
  ///   been ended then.
  /// - Thread: [control]
  package init(
    _ structure: ProgramStructure, clientName: String, registry: ComponentRegistry,
    start: (SessionPlan) throws -> JackSession, listen: (JackSession) -> [any SessionRemote],
    follow: @escaping @Sendable (ProgramStructure) -> Void,
    notify: @escaping @Sendable (Change) -> Void
  ) throws {
    let plan = try SessionPlan(
      structure, clientName: clientName, registry: registry,
      environment: ProcessInfo.processInfo.environment)
    let session = try start(plan)
    session.history.withUnits { $0.note(given: structure.units.map(\.unit)) }
    session.notifyProgram = { [clock] session, change in
      clock.set(session.clock)
      notify(change)
    }
    let running = RunningCopy()
    session.notifyOfStructure = { follow(running.take($0)) }
    follow(running.take(session))
    self.running = running
    editor = session.editor
    clock.set(session.clock)
    readyLine = session.readyLine
    self.clientName = session.clientName
    sampleRate = session.host?.serverSampleRate ?? 0
    let remotes = listen(session)
    task = Mutex(nil)
    // From here on the session belongs to the task.
    nonisolated(unsafe) let own = session
    let task = Task.detached { [self] () -> SessionError? in
      defer { for remote in remotes { remote.close() } }
      var failure: SessionError?
      do throws(SessionError) {
        try await own.run(
          until: nil, remotes: remotes,
          isDone: { self.isEnding.load(ordering: .acquiring) })
      } catch { failure = error }
      await own.end()
      return failure
    }
    self.task.withLock { $0 = task }
  }

  /// Changes the session to the structure that a program wants.
  ///
  /// - Parameters:
  ///   - takeBack: called if the structure that `change` has returned is refused.
  ///   - change: returns the new structure. The current one has been reported by then, and nobody
  ///     else changes it until this is done, or taken back.
  /// - Throws: the error of `change`, or the mistake; nothing has changed then.
  /// - Thread: [control], one call at a time
  package func edit(
    _ text: String, takingBack takeBack: @escaping @Sendable () -> Void,
    _ change: @escaping @Sendable () throws -> ProgramStructure
  ) async throws {
    try await editor.run { [running] session, answer in
      let (store, history, editor) = (session.store, session.history, session.editor)
      let (late, maker) = (session.late, session.control.maker)
      ChangeAuthor.$current.withValue(ChangeAuthor(.program)) {
        session.begin(text, .none) {
          do {
            try await late.holding(Claims([.structure])) {
              let (next, running) = (try change(), running.structure)
              if running.structure.isSame(as: next) { return }
              do {
                var configuration = store.origin.configuration
                let given = try configuration.follow(next, from: running)
                history.withUnits { $0.note(given: given.values) }
                try await editor.follow(
                  configuration, making: Set(given.keys), given: given, by: maker, text,
                  path: "", store)
              } catch {
                takeBack()
                throw error
              }
            }
            answer.give(.success(()))
          } catch { answer.give(.failure(error)) }
        }
      }
    }
  }

  /// Renders silence instead, or resumes. No time passes for the units while it is paused.
  package func setPaused(_ isPaused: Bool) async throws {
    try await editor.run { session, answer in
      answer.give(
        Result {
          session.finishExchange()
          try session.host?.setPaused(isPaused)
        })
    }
  }

  /// First frame of the latest cycle; nil while no server is running.
  package var frame: Int64? { clock.time?.frame }

  /// Clock of the session; nil while no server is running.
  package var time: SessionClock? { clock.time }

  /// Asks the session to end soon.
  /// - Thread: [any]
  package func end() { isEnding.store(true, ordering: .releasing) }

  /// Ends the session, and waits for that.
  ///
  /// - Returns: the error that had ended it before; nil for none.
  @discardableResult
  package func stop() async -> SessionError? {
    end()
    return await task.withLock { $0 }?.value
  }
}

/// Clock of a session, at one server or the next.
private final class Clock: Sendable {
  private let now = Mutex<@Sendable () -> SessionClock?>({ nil })

  func set(_ clock: @escaping @Sendable () -> SessionClock?) { now.withLock { $0 = clock } }

  var time: SessionClock? { now.withLock { $0 }() }
}

/// Structure of a session when it was reported last.
private final class RunningCopy: Sendable {
  private let last = Mutex(RunningStructure())

  var structure: RunningStructure { last.withLock { $0 } }

  /// - Thread: the one that runs the session.
  func take(_ session: JackSession) -> ProgramStructure {
    let running = RunningStructure(session.plan, session.store.origin.configuration.connections)
    last.withLock { $0 = running }
    return running.structure
  }
}
