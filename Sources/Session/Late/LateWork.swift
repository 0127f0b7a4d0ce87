// Changes that take time: begun in order, held up by those alone that claim the same.

import Files
import SessionModel
import Synchronization

/// What has been begun for a session and is not done yet.
///
/// A change waits for earlier ones that hold what it claims, and for no others.
final class LateWork: Sendable {
  /// How many changes may be under way, their parts not counted.
  static let most = 1024

  /// How many may wait for files at once.
  static let mostThreads = 16

  /// A change that is not done yet.
  struct Pending: Sendable {
    let text: String
    let start: ContinuousClock.Instant
  }

  private struct Entry: Sendable {
    let claims: Claims
    /// Nil for a part of another one.
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

  /// What is under way, the oldest first.
  var pending: [Pending] {
    state.withLock { state in
      state.entries.sorted { $0.key < $1.key }.compactMap(\.value.pending)
    }
  }

  /// How many changes and parts of changes are under way.
  var count: Int { state.withLock { $0.entries.count } }

  /// Whether one more change may begin.
  var hasRoom: Bool {
    state.withLock { $0.entries.values.count { $0.pending != nil } } < Self.most
  }

  /// Has something done beside the thread that runs the session, with the author and the patience
  /// with files of whoever begins it.
  ///
  /// - Parameters:
  ///   - text: what it is, for those who ask what is pending.
  ///   - answer: called with what has come of it, once it is pending no longer.
  /// - Thread: [any]; what is begun first comes first.
  func begin<Outcome: Sendable>(
    _ text: String, _ claims: Claims, _ work: @escaping @Sendable () async -> Outcome,
    answer: @escaping @Sendable (Outcome) -> Void = { (_: Outcome) in }
  ) {
    let (number, earlier) = add(claims, Pending(text: text, start: time.now))
    let (author, wait) = (ChangeAuthor.current, FileWait.current)
    Task.detached(executorPreference: threads) { [self] in
      for end in earlier { await end.wait() }
      let outcome = await FileWait.$current.withValue(wait) {
        await ChangeAuthor.$current.withValue(author, operation: work)
      }
      remove(number)
      answer(outcome)
    }
  }

  /// Does a part of what is under way, once the part's claims are free.
  func holding<Result>(
    _ claims: Claims, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let (number, earlier) = add(claims, nil)
    defer { remove(number) }
    for end in earlier { await end.wait() }
    return try await body()
  }

  /// Waits until all is done that is under way now.
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

/// Comes once, for all who wait for it.
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
