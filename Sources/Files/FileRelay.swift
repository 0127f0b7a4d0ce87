// Relays for readers without a deadline.

import Glibc
import Platform
import Synchronization

/// A relay of a pipe or device to a library whose reads block. The stream ends if nothing arrives
/// for too long.
package final class FileRelay: Sendable {
  /// A socket to read the data from; closing it ends the relay.
  package let output: Int32
  private let ended = Mutex<SystemError?>(nil)

  /// The error that ended the stream early; nil if there was none. Valid once reading has ended.
  ///
  /// - Thread: [any]
  package var failure: SystemError? { ended.withLock { $0 } }

  /// - Parameter renews: whether the time limit restarts with each piece, for streams of any
  ///   length.
  /// - Thread: [control]
  package init(_ file: OpenFile, renews: Bool) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last }
    output = ends[0]
    let (input, wait) = (ends[1], FileWait.current)
    startThread("pipe") { [self] in
      var waiting = FileWaiting(file.path, wait)
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      do throws(SystemError) {
        while true {
          let count = try file.read(&chunk, &waiting, for: input)
          if count == 0 { break }
          try Self.send(chunk[..<count], to: input)
          if renews { waiting.renew() }
        }
      } catch {
        // A reader that has closed its end needs no more.
        if error.number != EPIPE { ended.withLock { $0 = error } }
      }
      close(input)
    }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }
}
