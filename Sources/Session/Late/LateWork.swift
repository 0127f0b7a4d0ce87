// Changes that take time: begun in order, each waiting only for earlier ones with the same claims.

import Files
import SessionModel
import Synchronization

/// Changes and other work under way for a session.
///
/// A change waits for earlier ones that hold its claims, and for no others.
final class LateWork: Sendable {
  /// Maximum number of changes under way, not counting their parts.
  static let most = 1024

  /// Maximum number of changes that wait for files at once.
  static let mostThreads = 16

  /// A change that is not done yet.
  struct Pending: Sendable {
    let text: String
    let start: ContinuousClock.Instant
  }

  private struct Entry: Sendable {
    let claims: Claims
    /// Description of the change; nil for a part of another change.
    let pending: Pending?
    let end = Signal()
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  private let threads = WorkThreads("auricle-late", most: mostThreads)
  private let time: any SessionTime

  init(time: any SessionTime = MachineTime()) { self.time = time }

  /// Changes under way, the oldest first.
  var pending: [Pending] {
    state.withLock { state in
      state.entries.sorted { $0.key < $1.key }.compactMap(\.value.pending)
    }
  }

  /// Number of changes and parts of changes under way.
  var count: Int { state.withLock { $0.entries.count } }

  /// Whether one more change may begin.
  var hasRoom: Bool {
    state.withLock { $0.entries.values.count { $0.pending != nil } } < Self.most
  }

  /// Begins work in parallel with the thread that runs the session. It has the caller's
  /// author, line for the journal, and patience with files.
  ///
  /// - Parameters:
  ///   - text: a description of the work, for status requests.
  ///   - answer: called with the result, once the work is no longer pending.
  /// - Thread: [any]; work that is begun first comes first.
  func begin<Outcome: Sendable>(
    _ text: String, _ claims: Claims, _ work: @escaping @Sendable () async -> Outcome,
    answer: @escaping @Sendable (Outcome) -> Void = { (_: Outcome) in }
  ) {
    let (number, earlier) = add(claims, Pending(text: text, start: time.now))
    let (author, line, wait) = (ChangeAuthor.current, ChangeCommand.current, FileWait.current)
    Task.detached(executorPreference: threads) { [self] in
      for end in earlier { await end.wait() }
      let outcome = await FileWait.$current.withValue(wait) {
        await ChangeAuthor.$current.withValue(author) {
          await ChangeCommand.$current.withValue(line, operation: work)
        }
      }
      remove(number)
      answer(outcome)
    }
  }

  /// Does a part of the work under way, once the part's claims are free.
  func holding<Result>(
    _ claims: Claims, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let (number, earlier) = add(claims, nil)
    defer { remove(number) }
    for end in earlier { await end.wait() }
    return try await body()
  }

  /// Waits until all current work is done.
  func finish() async {
    for end in state.withLock({ $0.entries.values.map(\.end) }) { await end.wait() }
  }

  private func add(_ claims: Claims, _ pending: Pending?) -> (number: Int, earlier: [Signal]) {
    state.withLock { state in
      let earlier = state.entries.values.filter { claims.wait(for: $0.claims) }.map(\.end)
      state.lastNumber += 1
      state.entries[state.lastNumber] = Entry(claims: claims, pending: pending)
      return (state.lastNumber, earlier)
    }
  }

  private func remove(_ number: Int) {
    state.withLock { $0.entries.removeValue(forKey: number) }?.end.give()
  }
}

/// A signal, given once to all who wait for it.
private final class Signal: Sendable {
  private struct State {
    var hasCome = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func give() {
    let waiting = state.withLock { state in
      state.hasCome = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        if !state.hasCome { state.waiting.append(continuation) }
        return state.hasCome
      }
      if hasCome { continuation.resume() }
    }
  }
}
