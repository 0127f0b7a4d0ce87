// Keys, pedals and parameters that a client holds.

import SessionModel
import Synchronization

/// Releases the keys, pedals and parameters that a client of a session holds when its connection
/// ends.
package final class ClientHold: Sendable {
  private struct State {
    var keys = HeldKeys<Int64>()
    /// Number of the server at which they were pressed: what sounds ends with its server.
    var server = 0
    /// The parameters in gestures, with the author of each.
    var gestures: [String: ChangeAuthor] = [:]
    var hasGone = false
  }

  private let state = Mutex(State())
  private let send: @Sendable (SessionCommand, ChangeAuthor) -> Void

  /// - Parameter send: executes a command for the client after it has gone.
  package init(send: @escaping @Sendable (SessionCommand, ChangeAuthor) -> Void) {
    self.send = send
  }

  /// Checks that a message may be played.
  /// - Throws: if it is one more press than a client may hold.
  /// - Thread: [any]
  func check(_ bytes: [UInt8]) throws(SessionCommandError) {
    guard state.withLock({ $0.keys.mayTake(bytes) }) else {
      throw SessionCommandError(
        "too many keys are held", accepted: "\(HeldKeys<Int64>.maximumPresses) by a client")
    }
  }

  /// Records a message that was played.
  /// - Thread: [any]
  func take(_ bytes: [UInt8], at unit: String, frame: Int64?, server: Int) {
    let hasGone = state.withLock { state in
      if state.server != server { (state.keys, state.server) = (HeldKeys(), server) }
      state.keys.take(bytes, at: unit, time: frame)
      return state.hasGone
    }
    // The client went before its message was played.
    if hasGone { end() }
  }

  /// Records that a gesture has begun or ended.
  /// - Thread: [any]
  func gesture(_ path: String, isOn: Bool, by author: ChangeAuthor) {
    let hasGone = state.withLock { state in
      state.gestures[path] = isOn ? author : nil
      return state.hasGone
    }
    if hasGone { end() }
  }

  /// Releases everything, because the client has gone.
  /// - Thread: [any]
  package func end() {
    let (releases, frame, gestures) = state.withLock { state in
      defer { state.gestures = [:] }
      state.hasGone = true
      return (state.keys.removeAll(), state.keys.latest, state.gestures)
    }
    for release in releases {
      send(
        .midi(unit: release.unit, bytes: release.bytes.map(Int.init), frame: frame),
        ChangeAuthor(.ctl))
    }
    for (path, author) in gestures { send(.gesture(path: path, isOn: false), author) }
  }
}
