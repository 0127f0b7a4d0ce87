// A client of a session, as those see it who answer.

import Foundation
import Synchronization

/// A client of a session. Requests come one at a time: the next is read once the answer to the last
/// has been taken.
///
/// - Thread: [any]
public final class ControlPeer: Sendable {
  private let state = Mutex(State())
  /// Called within the lock, and so never once the client is gone: what it wakes may be gone then,
  /// too.
  private let wake: @Sendable () -> Void

  struct State: Sendable {
    /// What has come and is not yet a whole line.
    var input: [UInt8] = []
    /// How much of it holds no end of a line.
    var searched = 0
    /// What is being written, and how much of it was.
    var output: [UInt8] = []
    var written = 0
    /// News by what they are about, in the order in which they came first.
    var news: [String: [UInt8]] = [:]
    var newsOrder: [String] = []
    var isAnswering = false
    /// Whether nothing more is to come from the client.
    var hasEnded = false
    /// Whether it is let go of once all is written.
    var isLeaving = false
    var isGone = false
    var name: String?
    var farewell: (@Sendable () -> Void)?
    /// The same for a client that goes before its answer.
    var abandonment: (@Sendable () -> Void)?
  }

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// What the client calls itself; nil until it has.
  public var name: String? {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  /// Answers the request, with a line without its end.
  public func answer(_ line: [UInt8]) {
    state.withLock { state in
      guard !state.isGone, state.isAnswering else { return }
      state.isAnswering = false
      state.abandonment = nil
      state.output += line + [10]
      wake()
    }
  }

  /// Has something done if the client goes before it has its answer, at once if it is gone. One
  /// that has nothing more to ask still waits for it.
  public func whenAbandoned(_ body: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if state.isAnswering { state.abandonment = body }
      return state.isGone
    }
    if isGone { body() }
  }

  /// Tells news, a line without its end. Of what the client has not read of one subject, the last
  /// is kept: one that never reads costs no more than a line for each.
  public func post(_ line: [UInt8], about subject: String) {
    state.withLock { state in
      if state.isGone { return }
      if state.news.updateValue(line, forKey: subject) == nil { state.newsOrder.append(subject) }
      wake()
    }
  }

  /// Has something done once the client is gone, at once if it is; what was to be done before is
  /// done now. A client that waits for news is kept though it has nothing more to ask.
  public func whenGone(_ body: @escaping @Sendable () -> Void) {
    let due = state.withLock { state in
      if state.isGone { return Optional(body) }
      defer { state.farewell = body }
      return state.farewell
    }
    due?()
  }

  // MARK: For the thread of the socket

  /// Whether there is something to write, or more may be read.
  var wishes: (toRead: Bool, toWrite: Bool) {
    state.withLock { state in
      state.takeNews()
      let isBusy = state.isAnswering || !state.output.isEmpty || state.isLeaving
      return (!isBusy && !state.hasEnded, !state.output.isEmpty)
    }
  }

  /// Whether it can be let go of.
  var isDone: Bool {
    state.withLock { state in
      if !state.output.isEmpty || state.isAnswering { return false }
      return state.isLeaving
        || state.hasEnded && state.farewell == nil && !state.input.contains(10)
    }
  }

  /// Takes what has come in; an empty piece is the end.
  func take(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      if bytes.isEmpty { state.hasEnded = true }
      state.input += bytes
    }
  }

  /// The next request; nil while there is none, or one is being answered.
  func nextLine() -> [UInt8]? {
    state.withLock { state in
      if state.isAnswering || !state.output.isEmpty || state.isLeaving { return nil }
      guard let end = state.input[state.searched...].firstIndex(of: 10) else {
        state.searched = state.input.count
        return nil
      }
      let line = Array(state.input[..<end])
      state.input.removeFirst(end + 1)
      state.searched = 0
      state.isAnswering = true
      return line
    }
  }

  /// How many bytes of an incomplete line have come.
  var pendingBytes: Int { state.withLock { $0.searched } }

  /// Writes a last line, and lets go then.
  func leave(with line: [UInt8]) {
    state.withLock { state in
      state.isLeaving = true
      state.isAnswering = false
      state.abandonment = nil
      (state.input, state.searched) = ([], 0)
      state.output += line + [10]
    }
  }

  /// Writes as much as the client takes.
  ///
  /// - Returns: false when it takes nothing any more.
  func write(to descriptor: Int32) -> Bool {
    state.withLock { state in
      while state.written < state.output.count {
        let rest = state.output[state.written...]
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno == EAGAIN }
        state.written += count
      }
      (state.output, state.written) = ([], 0)
      return true
    }
  }

  func goAway() {
    let due = state.withLock { state in
      let due = [state.farewell, state.abandonment]
      state = State()
      state.isGone = true
      return due
    }
    for body in due { body?() }
  }
}

extension ControlPeer.State {
  /// News follow once all before is written.
  fileprivate mutating func takeNews() {
    guard output.isEmpty, !isAnswering, !newsOrder.isEmpty else { return }
    for subject in newsOrder { output += (news[subject] ?? []) + [10] }
    news = [:]
    newsOrder = []
  }
}
