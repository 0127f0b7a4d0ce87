// What the session takes of what came by OSC.

import OSC
import Session
import SessionModel

extension SessionOSC {
  /// Of one cycle.
  static let maximumBatch = 512
  /// With frames that are still to come: units keep so many easily.
  static let maximumFrames = 256
  /// Presets and entries that are under way.
  static let maximumSlow = 8
  /// How long before its time a message is handed over: enough for every period, too short for
  /// clocks to part.
  static func lookahead(of moment: HostMoment) -> Int64 {
    let cycle = Double(max(0, moment.nextFrame - moment.frame)) / moment.sampleRate * 1_000_000
    return 100_000 + Int64(2 * min(cycle, 1_000_000))
  }

  /// What is to be done now, with the frame on which it takes effect.
  ///
  /// - Parameters:
  ///   - cycles: how many the server has run; nil where there is none.
  ///   - time: of the system's clock, in microseconds since 1970.
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
      // Questions cost no unit anything.
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

  /// How long until there is something to be done; nil for as long as nothing comes.
  private static func wait(
    _ state: State, _ time: Int64, _ moment: HostMoment?, isCut: Bool
  ) -> Duration? {
    // What waits for slow tasks to end is announced when one does.
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

  /// A preset or an entry is loaded.
  func endSlow() {
    state.withLock { $0.slowTasks -= 1 }
    announce()
  }
}

extension OSCRequest {
  /// Whether it can take effect on a frame; else it does when its time has come.
  fileprivate var takesFrame: Bool {
    switch self {
    case .command(.set), .command(.entry), .command(.scene(.load)): true
    default: false
    }
  }

  /// The command with the frame on which it takes effect.
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
