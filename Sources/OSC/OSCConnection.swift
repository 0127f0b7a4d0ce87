// Output buffers of TCP connections.

import Glibc
import Synchronization

/// The server's side of a connection, with a bounded buffer of unsent bytes.
final class OSCConnection: Sendable {
  private struct State {
    var output: [UInt8] = []
    var written = 0
    var isSlip = false
    var isOver = false
  }

  /// The most unsent bytes; the connection ends if there are more.
  static let maximumBytes = 1 << 20

  private let state = Mutex(State())

  /// Whether bytes are waiting to be sent.
  var isWaiting: Bool { state.withLock { $0.written < $0.output.count } }
  /// Whether the server has ended it.
  var isOver: Bool { state.withLock { $0.isOver } }

  func write(inSlip isSlip: Bool) { state.withLock { $0.isSlip = isSlip } }

  /// - Returns: false if too many bytes are waiting, which ends the connection, or if it has ended.
  func post(_ packet: [UInt8]) -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      let bytes = OSCStream.framed(packet, isSlip: state.isSlip)
      guard state.output.count - state.written + bytes.count <= Self.maximumBytes else {
        state.isOver = true
        state.output = []
        state.written = 0
        return false
      }
      state.output += bytes
      return true
    }
  }

  /// Sends as much as the other side accepts.
  ///
  /// - Returns: false if the connection has ended.
  func flush(to descriptor: Int32) -> Bool {
    state.withLock { state in
      while state.written < state.output.count {
        let count = state.output[state.written...].withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0 && errno == EINTR { continue }
        if count < 0 && errno != EAGAIN { return false }
        if count < 0 { break }
        state.written += count
      }
      state.output.removeFirst(state.written)
      state.written = 0
      return !state.isOver
    }
  }
}
