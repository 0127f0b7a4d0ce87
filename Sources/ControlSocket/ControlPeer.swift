// Clients of a session, for the code that answers them.

import Glibc
import Synchronization

/// A client of a session, with one request at a time: the next one is read once the answer to the
/// last is written.
///
/// - Thread: [any]
public final class ControlPeer: Sendable {
  private let state = Mutex(State())
  /// Called inside the lock, and so never after the client has disconnected: the server may have
  /// ended by then.
  private let wake: @Sendable () -> Void

  /// An unsent notice.
  enum Notice: Sendable {
    case line([UInt8])
    /// Written when it is sent.
    case late(@Sendable () -> [UInt8]?)
  }

  struct State: Sendable {
    /// Received bytes that were not processed yet.
    var input: [UInt8] = []
    /// The number of bytes known to contain no line end.
    var searched = 0
    /// Bytes to write, and the number of them that were written.
    var output: [UInt8] = []
    var written = 0
    /// Unsent notices by subject, in the order of their first occurrence.
    var news: [String: Notice] = [:]
    var newsOrder: [String] = []
    var isAnswering = false
    /// Whether the client sends no more requests.
    var hasEnded = false
    /// Whether to disconnect once all output is written.
    var isLeaving = false
    var isGone = false
    var name: String?
    var farewell: (@Sendable () -> Void)?
    /// Called once the client has disconnected.
    var ending: (@Sendable () -> Void)?
    /// Called if the client disconnects before its answer.
    var abandonment: (@Sendable () -> Void)?
  }

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// The client's name for itself; nil before it has sent one.
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

  /// Calls `body` if the client disconnects before its answer, at once if it has. A client that
  /// only stops sending still gets its answer.
  public func whenAbandoned(_ body: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if state.isAnswering { state.abandonment = body }
      return state.isGone
    }
    if isGone { body() }
  }

  /// Sends a notice, a line without its end. A newer notice replaces an unsent one of the same
  /// subject: a client that never reads costs at most a line a subject.
  public func post(_ line: [UInt8], about subject: String) { post(.line(line), subject) }

  /// Sends a notice whose line is written once the client has taken all earlier ones. It replaces
  /// an unsent one of the same subject: what has accumulated meanwhile can be in one line.
  ///
  /// - Parameter write: returns the line without its end; nil for none. Called on the socket's
  ///   thread; must not call the peer.
  public func post(about subject: String, _ write: @escaping @Sendable () -> [UInt8]?) {
    post(.late(write), subject)
  }

  private func post(_ notice: Notice, _ subject: String) {
    state.withLock { state in
      if state.isGone { return }
      if state.news.updateValue(notice, forKey: subject) == nil { state.newsOrder.append(subject) }
      wake()
    }
  }

  /// Calls `body` once the client has disconnected, at once if it has; calls the previous body now.
  /// While a body is set, a client that stops sending stays connected.
  public func whenGone(_ body: @escaping @Sendable () -> Void) {
    let due = state.withLock { state in
      if state.isGone { return Optional(body) }
      defer { state.farewell = body }
      return state.farewell
    }
    due?()
  }

  /// Calls `body` once the client has disconnected, at once if it has. Replaces the previous body.
  public func whenDisconnected(_ body: @escaping @Sendable () -> Void) {
    let isGone = state.withLock { state in
      if !state.isGone { state.ending = body }
      return state.isGone
    }
    if isGone { body() }
  }

  // MARK: For the thread of the socket

  /// Whether more may be read from the client, and whether output is waiting.
  var interest: (toRead: Bool, toWrite: Bool) {
    state.withLock { state in
      state.takeNews()
      let isBusy = state.isAnswering || !state.output.isEmpty || state.isLeaving
      return (!isBusy && !state.hasEnded, !state.output.isEmpty)
    }
  }

  /// Whether to disconnect the client.
  var isDone: Bool {
    state.withLock { state in
      if !state.output.isEmpty || state.isAnswering { return false }
      return state.isLeaving
        || state.hasEnded && state.farewell == nil && !state.input.contains(10)
    }
  }

  /// Adds received bytes; an empty slice is the end.
  func take(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      if bytes.isEmpty { state.hasEnded = true }
      state.input += bytes
    }
  }

  /// Returns the next request; nil if it is incomplete or another one is being answered.
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

  /// The number of bytes of an incomplete line.
  var pendingBytes: Int { state.withLock { $0.searched } }

  /// Sends a last line, and disconnects after it.
  func leave(with line: [UInt8]) {
    state.withLock { state in
      state.isLeaving = true
      state.isAnswering = false
      state.abandonment = nil
      (state.input, state.searched) = ([], 0)
      state.output += line + [10]
    }
  }

  /// Writes as much as the client accepts.
  ///
  /// - Returns: false if the connection has failed.
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
      let due = [state.farewell, state.abandonment, state.ending]
      state = State()
      state.isGone = true
      return due
    }
    for body in due { body?() }
  }
}

extension ControlPeer.State {
  /// Adds unsent notices to the output, once all earlier output is written.
  fileprivate mutating func takeNews() {
    guard output.isEmpty, !isAnswering, !newsOrder.isEmpty else { return }
    for subject in newsOrder {
      switch news[subject] {
      case .line(let line): output += line + [10]
      case .late(let write): if let line = write() { output += line + [10] }
      case nil: break
      }
    }
    news = [:]
    newsOrder = []
  }
}
