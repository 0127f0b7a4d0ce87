// The life of a running session: news from the server, signals, and reports.

import Foundation
import JackBackend
import SamplerUnit
import UnitModel
import UnitRender

/// What a running session waits for.
private enum SessionEvent: Sendable {
  case notice(JackNotice)
  case signal(Int32)
  case tick
  case look
  case connect
  case busName(unit: String, bus: Int, name: String)
}

/// What has come since the outside connections were last looked at.
private enum NewPorts {
  case none
  /// Ports that are going to be looked at.
  case announced
  /// Ports that were looked at, and others that may belong to them.
  case unsettled
}

extension JackSession {
  /// Serves the session until SIGINT or SIGTERM arrives.
  /// - Throws: `serverGone` when the server has shut down, `graph` when the units cannot follow a change.
  /// - Thread: [control]
  public func run(until signals: SignalStream) async throws(SessionError) {
    let (events, continuation) = AsyncStream<SessionEvent>.makeStream()
    let notices = backend.notices
    let forwarding = Task { for await notice in notices { continuation.yield(.notice(notice)) } }
    let arrivals = signals.signals
    let watching = Task { for await number in arrivals { continuation.yield(.signal(number)) } }
    let timer = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(1))
        continuation.yield(.tick)
      }
    }
    var chords = ChordWatch(plan.graph)
    let isLooking = !chords.isEmpty && log.logLevel <= .info
    let looking = Task {
      while isLooking && !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(50))
        continuation.yield(.look)
      }
    }
    let tokens = watchBusNames { continuation.yield($0) }
    defer {
      for (unit, token) in zip(plan.graph.nodes.map(\.unit), tokens) {
        unit.outputBusses.removeBusObserver(token)
      }
      forwarding.cancel()
      timer.cancel()
      looking.cancel()
      watching.cancel()
    }
    var newPorts = NewPorts.none
    for await event in events {
      switch event {
      case .notice(.portRegistered(let port)):
        // Our own ports came before the first connection.
        if port.hasPrefix(backend.client.name + ":") { break }
        connections.forget(port: port)
        if newPorts != .announced {
          newPorts = .announced
          // A client's ports come one after the other: they are looked at together.
          Task {
            try? await Task.sleep(for: .milliseconds(5))
            continuation.yield(.connect)
          }
        }
      case .notice(let notice): try handle(notice)
      case .connect:
        newPorts = .unsettled
        connectOutside(isSettled: false)
      case .tick:
        reportCounts()
        watchCycles()
        if newPorts == .unsettled {
          newPorts = .none
          connectOutside(isSettled: true)
        }
      case .busName(let unit, let bus, let name):
        log.info("\(unit): output \(bus + 1) is \(name)")
      case .look: for line in chords.news() { log.info("\(line)") }
      case .signal(let number):
        log.info("signal \(number): ending")
        reportCounts()
        return
      }
    }
  }

  /// Says so when the server runs no cycle from second to second, and when it does again.
  private func watchCycles() {
    let cycles = backend.statistics.cycles
    defer { lastCycles = cycles }
    // One second may pass without a cycle while the server changes its period or rate.
    idleSeconds = cycles == lastCycles ? idleSeconds + 1 : 0
    if idleSeconds == 3 {
      isIdle = true
      log.warning("the JACK server runs no cycles; waiting for it (is it stopped?)")
    } else if isIdle && idleSeconds == 0 {
      isIdle = false
      log.notice("the JACK server runs again")
    }
  }

  /// Has the names of output busses told, as they are now and whenever they change. Ports keep theirs: people
  /// and sessions connect by them.
  private func watchBusNames(
    _ tell: @escaping @Sendable (SessionEvent) -> Void
  ) -> [BusObserverToken] {
    plan.graph.nodes.map { node in
      let id = node.id
      let token = node.unit.outputBusses.token(byAddingBusObserver: { bus, property in
        guard property == .name else { return }
        tell(.busName(unit: id, bus: bus.index, name: bus.name))
      })
      for bus in node.unit.outputBusses where bus.name != bus.defaultName {
        tell(.busName(unit: id, bus: bus.index, name: bus.name))
      }
      return token
    }
  }

  private func handle(_ notice: JackNotice) throws(SessionError) {
    switch notice {
    case .shutdown(let reason):
      reportCounts()
      throw .serverGone(reason: reason)
    case .sampleRate(let rate):
      try changeSampleRate(to: rate)
    case .period(let frames):
      log.info("the period is \(frames) frames")
    case .freewheel(let isFreewheeling):
      for node in plan.graph.nodes { node.unit.isRenderingOffline = isFreewheeling }
      log.info(isFreewheeling ? "the server is freewheeling" : "the server is in realtime again")
    case .xrun:
      log.debug("an xrun")
    case .portRegistered: break
    }
  }

  /// Says what became of selected entries of live sets, and what was counted since the last report.
  private func reportCounts() {
    for node in plan.graph.nodes {
      for event in (node.unit as? SamplerUnit)?.takeLiveSetEvents() ?? [] {
        report(event, of: node.id)
      }
    }
    let counts = SessionCounts(backend.statistics, units: plan.graph.nodes.map { ($0.id, $0.unit) })
    for line in counts.news(since: reported) { log.warning("\(line)") }
    reported = counts
  }

  private func report(_ event: LiveSetEvent, of id: String) {
    switch event {
    case .began(_, _, let frames) where frames > 0:
      let seconds = Double(frames) / Double(backend.client.sampleRate)
      log.notice("\(id): \(event) (\(String(format: "%.2f", seconds)) s)")
    case .began: log.info("\(id): \(event)")
    case .failed: log.error("\(id): \(event)")
    }
  }
}
