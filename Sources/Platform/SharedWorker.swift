// A thread that serves objects while there are any.

import Glibc
import Synchronization

/// Serves objects in turn, on one thread that lives as long as there are any.
public final class SharedWorker<Member: AnyObject & Sendable>: Sendable {
  /// The result of serving an object.
  public enum Turn {
    /// The object is not served until it is added again.
    case done
    case idle
    /// The next turn follows without a pause.
    case busy
  }

  private struct WeakMember: Sendable {
    weak var object: Member?
  }

  private struct State: Sendable {
    var members: [ObjectIdentifier: WeakMember] = [:]
    var hasThread = false
  }

  private let state = Mutex(State())
  private let name: StaticString
  private let pause: UInt32
  private let serve: @Sendable (Member) -> Turn

  /// - Parameter pause: between two turns, in microseconds.
  public init(_ name: StaticString, pause: UInt32, _ serve: @escaping @Sendable (Member) -> Turn) {
    (self.name, self.pause, self.serve) = (name, pause, serve)
  }

  /// Serves an object until its turn is `done` or nobody else holds it.
  /// - Thread: [control]
  public func add(_ member: Member) {
    let isFirst = state.withLock { state in
      state.members[ObjectIdentifier(member)] = WeakMember(object: member)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if isFirst { startThread(name) { [self] in while work() {} } }
  }

  /// Serves each object once.
  ///
  /// - Returns: whether objects remain; if not, the thread ends.
  private func work() -> Bool {
    var isBusy = false
    for id in state.withLock({ Array($0.members.keys) }) {
      // Removed before its turn, so that an object that is added meanwhile is served again. Another
      // object may have the identifier by now.
      guard let entry = state.withLock({ $0.members.removeValue(forKey: id) }),
        let member = entry.object
      else { continue }
      let turn = serve(member)
      if turn == .busy { isBusy = true }
      if turn != .done { state.withLock { $0.members[id] = $0.members[id] ?? entry } }
    }
    let goesOn = state.withLock { state in
      state.hasThread = !state.members.isEmpty
      return state.hasThread
    }
    if goesOn, !isBusy { usleep(pause) }
    return goesOn
  }
}
