// Running a session.

import SessionModel
import UnitModel

extension JackSession {
  /// Serves the session until a signal asks for its end, or it is done.
  ///
  /// - Parameters:
  ///   - signals: nil for a session of a program, which takes them itself.
  ///   - remotes: the remote controls of the session.
  ///   - isDone: called twenty times a second; returns whether the session has come to its end.
  /// - Throws: `serverGone` if the server has shut down and the session is not to wait for another,
  ///   `graph` if the units cannot follow a change.
  /// - Thread: [control]; continues on a separate thread.
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

  /// Logs when the server has run no cycle for 3 s, and when it runs again. While it changes its
  /// period or rate, 2 s may pass.
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

  /// Handles a notice of the server.
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

  /// Restarts the units at a sample rate, unless they already have it.
  func changeSampleRate(to rate: Int) throws(SessionError) {
    guard let host, host.sampleRate != Double(rate) else { return }
    finishExchange()
    log.notice("the sample rate is \(rate) Hz now; the units start anew")
    for line in plan.warnings(atSampleRate: rate) { log.warning("\(line)") }
    try host.changeSampleRate(to: rate)
    notifyProgram?(self, .sampleRate(rate))
  }
}
