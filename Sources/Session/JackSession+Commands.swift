// Commands to a running session.

import Files
import SessionModel
import Synchronization
import UnitModel

/// A weak reference to a watch. A watch lasts as long as its receiver.
struct WeakWatch {
  weak var watch: SessionWatch?
}

/// The client that waits for a command's answer.
final class Asker: Sendable {
  let hasGone = Atomic(false)
}

extension JackSession {
  /// Name of the JACK client; the last one while no server is running.
  public var clientName: String {
    host?.clientName ?? lastClientName ?? options.clientName ?? plan.clientName
  }

  /// Executes a command on the thread that runs the session, and answers it.
  package func execute(_ request: SessionRequest) {
    // Controllers' earlier actions are applied before it, and later ones after it.
    executeSetOff()
    reportPlayed(before: request.command)
    ChangeAuthor.$current.withValue(request.author) {
      ChangeCommand.$current.withValue(control.line(of: request.command)) { answer(request) }
    }
    executeSetOff()
  }

  private func answer(_ request: SessionRequest) {
    do throws(SessionCommandError) {
      if case .learn(let path, let settings, let options) = request.command {
        let asker = Asker()
        request.whenAbandoned { asker.hasGone.store(true, ordering: .relaxed) }
        return try learn(path, settings, options, for: asker, request.answer)
      }
      let control = control
      var message: (unit: String, bytes: [UInt8], frame: Int64?)?
      if case .midi(let unit, let bytes, let frame) = request.command {
        message = (unit, bytes.compactMap { UInt8(exactly: $0) }, frame)
      }
      if let message { try request.held?.check(message.bytes) }
      // Before its answer, so that no change falls between the two.
      let outcome: SessionControl.Outcome
      let watch = watch(request, control)
      do throws(SessionCommandError) { outcome = try control.execute(request.command) } catch {
        watch?.end()
        throw error
      }
      if let watch { request.whenGone { watch.end() } }
      if let message {
        request.held?.take(
          message.bytes, at: message.unit, frame: message.frame,
          server: history.journal.serverNumber)
      }
      if case .gesture(let path, let isOn, _) = request.command {
        request.held?.gesture(path, isOn: isOn, by: request.author)
      }
      switch outcome {
      case .done(let answer): request.answer(.success(answer))
      case .soon(let work):
        Task.detached { request.answer(await work()) }
      case .later(let command):
        let asker = Asker()
        request.whenAbandoned { asker.hasGone.store(true, ordering: .relaxed) }
        begin(command.text, command.claims, for: asker) { [recovery = options.recovery, history] in
          let result = await command.work()
          // Saved or undone changes need no recovery from the answer on.
          recovery?.dropIfSaved(history)
          return result
        } answer: {
          request.answer($0)
        }
      }
    } catch {
      if request.isLogged { log.debug("refused: \(error)") }
      request.answer(.failure(error))
    }
  }

  private func watch(_ request: SessionRequest, _ control: SessionControl) -> SessionWatch? {
    guard
      case .watch(let paths, let meters, let topics, let midi, let spectra, let scopes) =
        request.command
    else { return nil }
    let watch = SessionWatch(
      paths, meters: meters, topics: topics, midi: midi, spectra: spectra, scopes: scopes,
      of: control.units, notify: request.notify)
    watches.removeAll { $0.watch == nil }
    watches.append(WeakWatch(watch: watch))
    if !midi.isEmpty { followMIDI() }
    return watch
  }

  /// Begins work that takes time, once its claims are free.
  ///
  /// - Parameter asker: the client. Once it has gone, files that bring nothing are not waited for.
  func begin<Outcome: Sendable>(
    _ text: String, _ claims: Claims, for asker: Asker = Asker(),
    _ work: @escaping @Sendable () async -> Outcome,
    answer: @escaping @Sendable (Outcome) -> Void = { (_: Outcome) in }
  ) {
    var wait = FileWait.current
    wait.isAbandoned = { asker.hasGone.load(ordering: .relaxed) }
    wait.notify = { [log] in log.notice("\($0)") }
    FileWait.$current.withValue(wait) { late.begin(text, claims, work, answer: answer) }
  }

  package var control: SessionControl {
    SessionControl(
      units: plan.units, sampleRate: host?.sampleRate,
      endOutside: {
        for unit in self.unlistedUnits { unit.reset() }
        self.host?.endNotesSent()
      }, status: { self.status },
      store: store, history: history, editor: editor, clock: clock, late: late, time: time,
      agenda: agenda, pendingReleases: pendingReleases)
  }

  /// Audible units beyond the reach of commands: those that ring out, and those being added.
  private var unlistedUnits: [AudioUnit] {
    let coming = exchange?.next.graph.nodes.map(\.unit) ?? []
    return plan.ringing.map(\.node.unit)
      + coming.filter { unit in !plan.graph.nodes.contains { $0.unit === unit } }
  }

  /// Returns the session's frame, as long as the session is at this server.
  var clock: @Sendable () -> SessionClock? {
    guard let host else { return { nil } }
    return host.clock
  }

  private var status: SessionStatus {
    var status = serverStatus
    status.file = store.file?.path
    status.isDirty = isDirty
    status.unitStatus = unitStatus
    status.notices = notices.lines
    status.missing = missing
    let pending = late.pending.map { PendingReading($0, at: time.now) }
    status.pending = pending.isEmpty ? nil : pending
    status.agenda = agenda.count > 0 ? agenda.count : nil
    status.memory = MemoryReading(history, plan.units.map(\.unit))
    return status
  }

  private var serverStatus: SessionStatus {
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    let counted = remotes.flatMap(\.countLines)
    guard let host else {
      return SessionStatus(
        client: clientName, server: server?.name ?? "",
        units: plan.units.count,
        counts: SessionCounts(units: units).lines + counted)
    }
    let statistics = host.statistics
    return SessionStatus(
      client: clientName, server: host.serverName, isServerThere: true,
      sampleRate: host.serverSampleRate, period: host.serverPeriod,
      frame: Int64(statistics.frame), load: host.load, xruns: statistics.xruns,
      units: plan.units.count,
      counts: SessionCounts(statistics.counts, units: units).lines + counted)
  }
}

extension PendingReading {
  fileprivate init(_ pending: LateWork.Pending, at now: ContinuousClock.Instant) {
    self.init(
      text: pending.text,
      seconds: ((now - pending.start) / .seconds(1) * 1000).rounded() / 1000)
  }
}
