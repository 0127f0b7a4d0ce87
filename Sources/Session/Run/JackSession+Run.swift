// The life of a running session.

import SessionModel
import UnitModel

extension JackSession {
  /// Serves the session until a signal asks for its end, or it is done.
  ///
  /// - Parameters:
  ///   - signals: nil for a session of a program, which takes them itself.
  ///   - remotes: by whom others reach it.
  ///   - isDone: asked twenty times a second whether the session has come to its end.
  /// - Throws: `serverGone` when the server has shut down and the session is not to wait for
  ///   another, `graph` when the units cannot follow a change.
  /// - Thread: [control]; it goes on on a thread of its own.
  package func run(
    until signals: SignalStream?, remotes: [any SessionRemote], isDone: () -> Bool
  ) async throws(SessionError) {
    self.remotes = remotes
    try await withTaskExecutorPreference(WorkThreads("auricle-session", most: 1)) {
      () async throws(SessionError) in
      let loop = SessionLoop(self, until: signals)
      do throws(SessionError) { try await loop.run(isDone: isDone) } catch {
        loop.close()
        throw error
      }
      loop.close()
    }
  }

  /// Says so when the server has run no cycle for three seconds, and when it does again. While it
  /// changes its period or rate, two may pass.
  func watchCycles() {
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

  /// Follows what the server tells of itself.
  func handle(_ news: HostNotice) throws(SessionError) {
    switch news {
    case .sampleRate(let rate):
      try changeSampleRate(to: rate)
    case .period(let frames):
      log.info("the period is \(frames) frames")
    case .freewheel(let isFreewheeling):
      for node in plan.graph.nodes { node.unit.isRenderingOffline = isFreewheeling }
      log.info(isFreewheeling ? "the server is freewheeling" : "the server is in realtime again")
    case .xrun:
      log.debug("an xrun")
    case .shutdown, .portArrived, .connected: break
    }
  }

  /// Has the units start anew, unless they have that rate already.
  func changeSampleRate(to rate: Int) throws(SessionError) {
    guard let host, host.sampleRate != Double(rate) else { return }
    finishExchange()
    log.notice("the sample rate is \(rate) Hz now; the units start anew")
    for line in plan.warnings(atSampleRate: rate) { log.warning("\(line)") }
    try host.changeSampleRate(to: rate)
    tellProgram?(self, .sampleRate(rate))
  }
}
