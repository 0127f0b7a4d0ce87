// The life of a running session: news from the server, signals, and reports.

import Foundation
import JackBackend
import UnitModel
import UnitRender

/// What a running session waits for.
private enum SessionEvent: Sendable {
  case notice(JackNotice)
  case signal(SignalStream.Request)
  case tick
  case look
  case settle
  case reconnect
  case busName(unit: String, bus: Int, name: String)
  case request(SessionRequest)
  case osc
  case edit(SessionEdit)
  case errand(ProgramErrand)
}

/// What has come since the outside connections were last looked at.
private struct Arrivals {
  /// Ports that came, by their full names.
  var ports: Set<String> = []
  /// Whether they are going to be looked at.
  var isAnnounced = false
  /// Whether some were looked at, and others that belong to them may follow.
  var isUnsettled = false
}

extension JackSession {
  /// Serves the session until a signal asks for its end, or it is done.
  /// - Parameters:
  ///   - socket: where commands to the session come from.
  ///   - osc: where those of the network come from.
  ///   - nsm: where those of a session manager come from, who is told how the session is.
  ///   - isDone: asked twenty times a second whether the session has come to its end.
  /// - Throws: `serverGone` when the server has shut down and the session is not to wait for
  ///   another, `graph` when the units cannot follow a change.
  /// - Thread: [control]
  public func run(
    until signals: SignalStream, commandsFrom socket: SessionSocket? = nil,
    osc: SessionOSC? = nil, isDone: () -> Bool = { false }
  ) async throws(SessionError) {
    try await run(until: signals, commandsFrom: socket, osc: osc, nsm: nil, isDone: isDone)
  }

  /// The same for a session that may be a session manager's, or a program's, which takes the
  /// signals itself.
  package func run(
    until signals: SignalStream?, commandsFrom socket: SessionSocket?, osc: SessionOSC?,
    nsm: NSMDesk?, isDone: () -> Bool
  ) async throws(SessionError) {
    try await run(
      until: signals, requests: [socket?.requests, nsm?.requests].compactMap(\.self), osc: osc,
      nsm: nsm, isDone: isDone)
  }

  /// - Parameter requests: where commands come from.
  func run(
    until signals: SignalStream?, requests: [AsyncStream<SessionRequest>], osc: SessionOSC?,
    nsm: NSMDesk?, isDone: () -> Bool
  ) async throws(SessionError) {
    let (events, continuation) = AsyncStream<SessionEvent>.makeStream()
    var forwarding = forwardNotices { continuation.yield(.notice($0)) }
    let signalled = signals?.requests
    let watching = Task {
      guard let signalled else { return }
      for await request in signalled { continuation.yield(.signal(request)) }
    }
    let timer = time.every(.seconds(1)) { continuation.yield(.tick) }
    var chords = ChordWatch(plan.graph)
    let looking = time.every(.milliseconds(50)) { continuation.yield(.look) }
    let listening = requests.map { requests in
      Task { for await request in requests { continuation.yield(.request(request)) } }
    }
    self.osc = osc
    let hearing = Task {
      guard let news = osc?.news else { return }
      for await _ in news { continuation.yield(.osc) }
    }
    var tokens = watchBusNames { continuation.yield($0) }
    editor.open {
      continuation.yield(.edit($0))
    } errands: {
      continuation.yield(.errand($0))
    }
    defer {
      editor.close()
      for (unit, token) in tokens { unit.outputBusses.removeBusObserver(token) }
      forwarding.cancel()
      timer.cancel()
      looking.cancel()
      watching.cancel()
      for task in listening { task.cancel() }
      hearing.cancel()
    }
    func later(_ event: SessionEvent, milliseconds: Int) {
      Task { [time] in
        try? await time.sleep(for: .milliseconds(milliseconds))
        continuation.yield(event)
      }
    }
    var arrivals = Arrivals()
    var waiting = ServerWait()
    if host == nil { continuation.yield(.reconnect) }
    tellLatencies()
    for await event in events {
      switch event {
      case .notice(.portRegistered(let port)):
        // Our own ports came before the first connection.
        guard let connection, !port.hasPrefix(connection.client.name + ":") else { break }
        connection.outside.forget(port: port)
        arrivals.ports.insert(port)
        // A client's ports come one after the other, and so do connections: they are looked at
        // together.
        if !arrivals.isAnnounced { later(.settle, milliseconds: 5) }
        arrivals.isAnnounced = true
      case .notice(.connected):
        if !arrivals.isAnnounced { later(.settle, milliseconds: 5) }
        arrivals.isAnnounced = true
      case .notice(.shutdown(let reason)):
        // The client before may tell it more than once.
        guard host != nil else { break }
        forwarding.cancel()
        try leave(reason)
        arrivals = Arrivals()
        waiting = ServerWait()
        later(.reconnect, milliseconds: waiting.milliseconds)
      case .notice(let notice): try handle(notice)
      case .reconnect:
        if try reconnect(&waiting) {
          arrivals.isUnsettled = true
          forwarding = forwardNotices { continuation.yield(.notice($0)) }
        } else {
          later(.reconnect, milliseconds: waiting.milliseconds)
        }
      case .settle:
        let ports = arrivals.ports
        arrivals = Arrivals(isUnsettled: arrivals.isUnsettled || !ports.isEmpty)
        if !ports.isEmpty { connectOutside(isSettled: false) }
        memory.note(arrived: ports, at: time.now)
        remember(mayForget: false)
        tellNewControls()
      case .tick:
        reportCounts()
        if let osc { report(osc) }
        watchCycles()
        tellLatencies()
        followFile()
        keepChanges()
        history.letRest(of: editor, store, late)
        if arrivals.isUnsettled && !arrivals.isAnnounced {
          arrivals.isUnsettled = false
          connectOutside(isSettled: true)
        }
        examineCuts()
        remember(mayForget: true)
      case .busName(let unit, let bus, let name):
        log.info("\(unit): output \(bus + 1) is \(name)")
      case .request(let request): carryOut(request)
      case .edit(let edit):
        carryOut(edit)
        tellLatencies()
        chords = ChordWatch(plan.graph)
        for (unit, token) in tokens { unit.outputBusses.removeBusObserver(token) }
        tokens = watchBusNames(tellsNow: false) { continuation.yield($0) }
      case .errand(let errand): errand.carryOut(in: self)
      case .osc: if let osc { serve(osc) }
      case .look:
        for node in plan.graph.nodes { node.unit.notifyMovedParameters() }
        followLatencies()
        endRinging()
        restoreReturned()
        meters.look(at: host?.compiled, now: time.now)
        listen()
        carryOutSetOff()
        carryOutAgenda()
        history.journal.settle()
        for line in chords.news() { log.info("\(line)") }
        nsm?.tell(isDirty: history.isDirty)
        nsm?.tell(label: label)
        if isDone() { return reportCounts() }
      case .signal(.readAgain): readFileAgain()
      case .signal(.end(let number)):
        log.info("signal \(number): ending")
        reportCounts()
        if let osc { reportEnd(of: osc) }
        return
      }
    }
  }

  private func forwardNotices(
    _ tell: @escaping @Sendable (JackNotice) -> Void
  ) -> Task<Void, Never> {
    let notices = connection?.backend.notices
    return Task {
      guard let notices else { return }
      for await notice in notices { tell(notice) }
    }
  }

  /// Says so when the server has run no cycle for three seconds, and when it does again. While it
  /// changes its period or rate, two may pass.
  private func watchCycles() {
    guard let cycles = host?.statistics.cycles else { return }
    if cycles != lastCycles {
      (lastCycles, lastCycle) = (cycles, time.now)
      if isIdle { log.notice("the JACK server runs again") }
      isIdle = false
    } else if !isIdle && lastCycle.duration(to: time.now) > .seconds(3) {
      isIdle = true
      log.warning("the JACK server runs no cycles; waiting for it (is it stopped?)")
    }
  }

  /// Has the names of output busses told, as they are now and whenever they change. Ports keep
  /// theirs: people and sessions connect by them.
  private func watchBusNames(
    tellsNow: Bool = true, _ tell: @escaping @Sendable (SessionEvent) -> Void
  ) -> [(AudioUnit, BusObserverToken)] {
    plan.graph.nodes.map { node in
      let id = node.id
      let token = node.unit.outputBusses.token(byAddingBusObserver: { bus, property in
        guard property == .name else { return }
        tell(.busName(unit: id, bus: bus.index, name: bus.name))
      })
      for bus in node.unit.outputBusses where tellsNow && bus.name != bus.defaultName {
        tell(.busName(unit: id, bus: bus.index, name: bus.name))
      }
      return (node.unit, token)
    }
  }

  private func handle(_ notice: JackNotice) throws(SessionError) {
    switch notice {
    case .sampleRate(let rate):
      try changeSampleRate(to: rate)
    case .period(let frames):
      log.info("the period is \(frames) frames")
    case .freewheel(let isFreewheeling):
      for node in plan.graph.nodes { node.unit.isRenderingOffline = isFreewheeling }
      log.info(isFreewheeling ? "the server is freewheeling" : "the server is in realtime again")
    case .xrun:
      log.debug("an xrun")
    case .shutdown, .portRegistered, .connected: break
    }
  }

  /// Has the units start anew, unless they have that rate already.
  func changeSampleRate(to rate: Int) throws(SessionError) {
    guard let connection, connection.sampleRate != Double(rate) else { return }
    log.notice("the sample rate is \(rate) Hz now; the units start anew")
    for line in plan.warnings(atSampleRate: rate) { log.warning("\(line)") }
    try connection.changeSampleRate(to: rate)
    tellProgram?(self, .sampleRate(rate))
  }

  /// Says what has happened in units, and what was counted since the last report.
  func reportCounts() {
    reportNews()
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    let counts =
      host.map { SessionCounts($0.statistics.counts, units: units) }
      ?? SessionCounts(units: units)
    for line in counts.news(since: reported) { log.warning("\(line)") }
    reported = counts
  }

  func reportNews() {
    for node in plan.graph.nodes {
      for news in (node.unit as? any ReportingUnit)?.takeNews() ?? [] {
        report(news, of: node.id)
      }
    }
  }

  private func report(_ news: UnitNews, of id: String) {
    switch news.kind {
    case .late(let frames):
      let rate = host?.serverSampleRate ?? 48000
      let seconds = Double(frames) / Double(rate)
      log.notice("\(id): \(news.text) (\(String(format: "%.2f", seconds)) s)")
    case .done: log.log(level: newsLevel, "\(id): \(news.text)")
    case .failed: log.error("\(id): \(news.text)")
    }
  }
}
