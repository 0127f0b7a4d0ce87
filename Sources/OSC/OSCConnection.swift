// What waits to be written to a TCP connection.

import Foundation
import Synchronization

/// The side of a connection that answers. What its other side does not read is bounded.
final class OSCConnection: Sendable {
  private struct State {
    var output: [UInt8] = []
    var written = 0
    var isSlip = false
    var isOver = false
  }

  /// The most bytes that wait; beyond them the connection ends.
  static let maximumBytes = 1 << 20

  private let state = Mutex(State())

  /// Whether there is something to write.
  var isWaiting: Bool { state.withLock { $0.written < $0.output.count } }
  /// Whether it has ended for us.
  var isOver: Bool { state.withLock { $0.isOver } }

  func write(inSlip isSlip: Bool) { state.withLock { $0.isSlip = isSlip } }

  /// - Returns: false when too much waits: the connection is over.
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

  /// Writes what the other side takes.
  ///
  /// - Returns: false when it takes nothing any more.
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
