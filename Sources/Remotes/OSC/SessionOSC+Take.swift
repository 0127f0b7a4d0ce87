// Requests that the session executes in a cycle.

import OSC
import Session
import SessionModel

extension SessionOSC {
  /// The maximum number of untimed requests in a cycle's batch.
  static let maximumBatch = 512
  /// The maximum number of requests with future frames; a unit can easily hold that many.
  static let maximumFrames = 256
  /// The maximum number of slow requests under way, such as presets and entries.
  static let maximumSlow = 8
  /// Returns the time in microseconds by which a message is handed over early: enough for every
  /// period, too short for clocks to drift apart.
  static func lookahead(of moment: HostMoment) -> Int64 {
    let cycle = Double(max(0, moment.nextFrame - moment.frame)) / moment.sampleRate * 1_000_000
    return 100_000 + Int64(2 * min(cycle, 1_000_000))
  }

  /// Returns the requests to execute now, with the frames on which they take effect.
  ///
  /// - Parameters:
  ///   - cycles: the number of cycles that the server has run; nil without a server.
  ///   - time: the system's clock, in microseconds since 1970.
  func take(
    cycles: Int?, _ moment: HostMoment?, at time: Int64 = unixMicroseconds,
    now: ContinuousClock.Instant = .now
  ) -> [(task: OSCTask, frame: Int64?)] {
    let (taken, wait) = state.withLock { state in
      state.isAnnounced = false
      guard state.pace.mayGoOn(cycles: cycles, at: now) else {
        state.pace.isWaiting = true
        return ([(task: OSCTask, frame: Int64?)](), Optional(Duration.milliseconds(1)))
      }
      var slow = Self.maximumSlow - state.slowTasks
      var taken: [(task: OSCTask, frame: Int64?)] = state.inbox.take(Self.maximumBatch) { task in
        if !task.request.isSlow { return true }
        slow -= 1
        return slow >= 0
      }.map { ($0, nil) }
      taken += Self.takeTimed(&state, time, moment, &slow)
      state.slowTasks += taken.count { $0.task.request.isSlow }
      // Questions cost no unit any time.
      if taken.count >= 64 || taken.contains(where: { !$0.task.isQuestion }) {
        state.pace.begin(cycles: cycles, at: now)
      }
      let isCut = taken.count >= Self.maximumBatch || slow >= 0
      return (taken, Self.wait(state, time, moment, isCut: isCut))
    }
    if let wait { look(after: wait) }
    return taken
  }

  private static func takeTimed(
    _ state: inout State, _ time: Int64, _ moment: HostMoment?, _ slow: inout Int
  ) -> [(task: OSCTask, frame: Int64?)] {
    if let moment {
      // Another server begins at another frame.
      let end = moment.nextFrame + Int64(4 * moment.sampleRate)
      state.frames.removeAll { $0 < moment.nextFrame || $0 > end }
    }
    let lookahead = moment.map { Self.lookahead(of: $0) } ?? 0
    let until = OSCTimeTag(unixMicroseconds: time + lookahead)
    let tasks = state.inbox.takeTimed(maximumFrames - state.frames.count, until: until) { task in
      guard moment != nil && task.request.takesFrame || task.time.unixMicroseconds <= time else {
        return false
      }
      if !task.request.isSlow { return true }
      slow -= 1
      return slow >= 0
    }
    return tasks.map { task in
      guard let moment, task.request.takesFrame else { return (task, nil) }
      let frame = moment.frame(atUnixMicroseconds: task.time.unixMicroseconds)
      guard frame >= moment.nextFrame else {
        _ = state.counts.add(.late, "\(task.address) from \(task.peer)")
        return (task, nil)
      }
      state.frames.append(frame)
      return (task, frame)
    }
  }

  /// Returns the time until the next check, 1 ms to 1 s; nil if none is needed before more messages
  /// or the end of a slow request.
  private static func wait(
    _ state: State, _ time: Int64, _ moment: HostMoment?, isCut: Bool
  ) -> Duration? {
    // Requests that wait for slow ones are announced when one of these ends.
    if !state.inbox.isEmpty && isCut { return .milliseconds(1) }
    guard let next = state.inbox.nextTime else { return nil }
    let lookahead = moment.map { Self.lookahead(of: $0) } ?? 0
    let microseconds = next.unixMicroseconds - time - lookahead
    return .microseconds(min(max(microseconds, 2000), 1_000_000))
  }

  private func look(after wait: Duration) {
    let time = ContinuousClock.now + wait
    guard state.withLock({ $0.pace.arrange(at: time) }) else { return }
    Task.detached { [weak self] in
      try? await Task.sleep(until: time, tolerance: .zero)
      guard let self else { return }
      state.withLock { $0.pace.wakes(at: time) }
      announce()
    }
  }

  /// Records that a slow request, such as a preset, has ended.
  func endSlow() {
    state.withLock { $0.slowTasks -= 1 }
    announce()
  }
}

extension OSCRequest {
  /// Whether it can take effect on a frame; otherwise it does when its time has come.
  fileprivate var takesFrame: Bool {
    switch self {
    case .command(.set), .command(.entry), .command(.scene(.load)), .note: true
    default: false
    }
  }

  /// Returns the command with the frame on which it takes effect.
  func command(at frame: Int64?) -> SessionCommand? {
    guard case .command(let command) = self else { return nil }
    switch command {
    case .set(let path, let value, let ramp, _, _):
      return .set(path: path, value: value, rampMilliseconds: ramp, frame: frame)
    case .entry(let unit, let entry, _): return .entry(unit: unit, entry, frame: frame)
    case .scene(.load(let name, _)): return .scene(.load(name, frame: frame))
    default: return command
    }
  }
}
