// Commands to a session that runs.

import Files
import Foundation
import JackBackend
import Synchronization

/// A watch that lasts as long as somebody hears it.
struct WeakWatch {
  weak var watch: SessionWatch?
}

/// Whoever waits for what becomes of a command.
final class Asker: Sendable {
  let hasGone = Atomic(false)
}

/// Runs late work on a thread of its own: what waits for a file there keeps none of the few threads
/// that run everything else.
final class LateExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "auricle.late")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension JackSession {
  /// The JACK client's name, the last one while no server is there.
  public var clientName: String {
    connection?.client.name ?? lastClientName ?? options.clientName ?? plan.clientName
  }

  /// Carries a command out, on the thread that runs the session, and answers.
  func carryOut(_ request: SessionRequest) {
    ChangeSource.$current.withValue(request.source) { answer(request) }
  }

  private func answer(_ request: SessionRequest) {
    do throws(SessionCommandError) {
      if case .learn(let path, let settings, let options) = request.command {
        return try learn(path, settings, options, request.answer)
      }
      let control = control
      // Before its answer, so that no change falls between the two.
      let outcome: SessionControl.Outcome
      let watch = watch(request, control)
      do throws(SessionCommandError) { outcome = try control.carryOut(request.command) } catch {
        watch?.end()
        throw error
      }
      if let watch { request.whenGone { watch.end() } }
      switch outcome {
      case .done(let answer): request.answer(.success(answer))
      case .soon(let work):
        Task.detached { request.answer(await work()) }
      case .later(let work):
        let asker = Asker()
        request.whenAbandoned { asker.hasGone.store(true, ordering: .relaxed) }
        carryOutLater(for: asker) { [recovery = options.recovery, history] in
          let result = await work()
          // What is saved, or taken back, needs no recovery from the answer on.
          recovery?.dropIfSaved(history)
          request.answer(result)
        }
      }
    } catch {
      if request.isLogged { log.debug("refused: \(error)") }
      request.answer(.failure(error))
    }
  }

  private func watch(_ request: SessionRequest, _ control: SessionControl) -> SessionWatch? {
    guard case .watch(let paths) = request.command else { return nil }
    let watch = SessionWatch(paths, of: control.units, tell: request.tell)
    watches.removeAll { $0.watch == nil }
    watches.append(WeakWatch(watch: watch))
    return watch
  }

  /// One after the other: two loads of one unit must not mix.
  ///
  /// - Parameter asker: without whom files that bring nothing are waited for no longer.
  func carryOutLater(
    for asker: Asker = Asker(), _ work: @escaping @Sendable () async -> Void
  ) {
    let (before, source) = (lateWork, ChangeSource.current)
    var wait = FileWait.current
    wait.isAbandoned = { asker.hasGone.load(ordering: .relaxed) }
    wait.tell = { [log] in log.notice("\($0)") }
    lateWork = Task.detached(executorPreference: lateExecutor) { [wait] in
      await before?.value
      await FileWait.$current.withValue(wait) {
        await ChangeSource.$current.withValue(source) { await work() }
      }
    }
  }

  var control: SessionControl {
    SessionControl(
      units: plan.units, sampleRate: connection?.sampleRate,
      endOutside: {
        for ringing in self.plan.ringing { ringing.node.unit.reset() }
        self.connection?.backend.endNotesSent()
      }, status: { self.status },
      store: store, history: history, editor: editor, clock: clock)
  }

  /// Tells where the session is as long as it is at this server.
  var clock: @Sendable () -> SessionClock? {
    guard let connection, let sampleRate = connection.sampleRate else { return { nil } }
    return { [weak backend = connection.backend] in
      guard let backend, !backend.isServerGone else { return nil }
      let statistics = backend.statistics
      return SessionClock(
        frame: Int64(statistics.frame), period: statistics.period, sampleRate: sampleRate)
    }
  }

  private var status: SessionStatus {
    var status = serverStatus
    status.file = store.file?.path
    status.isDirty = history.isDirty
    status.unitStatus = unitStatus
    status.notices = notices.lines
    return status
  }

  private var serverStatus: SessionStatus {
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    let oscLines = osc?.countLines ?? []
    let server = connection?.dummyServer?.name ?? options.server ?? DummyServer.defaultName
    guard let connection else {
      return SessionStatus(
        client: clientName, server: server, units: plan.units.count,
        counts: SessionCounts(units: units).lines + oscLines)
    }
    let statistics = connection.backend.statistics
    return SessionStatus(
      client: clientName, server: server, isServerThere: true,
      sampleRate: connection.client.sampleRate, period: connection.client.period,
      frame: Int64(statistics.frame), load: connection.client.load, xruns: statistics.xruns,
      units: plan.units.count, counts: SessionCounts(statistics, units: units).lines + oscLines)
  }
}
