// Pipes for those who read without a deadline.

import Foundation
import Synchronization

/// Passes on what comes from a file that is not regular, for a library that waits in its reads:
/// they end when nothing has come for too long.
package final class FileRelay: Sendable {
  /// A socket that has what comes, for who reads; closing it ends the relay.
  package let output: Int32
  private let ended = Mutex<SystemError?>(nil)

  /// Why there was no more before the end; to be asked once reading has ended.
  ///
  /// - Thread: [any]
  package var failure: SystemError? { ended.withLock { $0 } }

  /// - Parameter renews: whether the waiting begins anew with each piece, for streams that are as
  ///   long as they are.
  /// - Thread: [control]
  package init(_ file: OpenFile, renews: Bool) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .last }
    output = ends[0]
    let (input, wait) = (ends[1], FileWait.current)
    Thread.detachNewThread { [self] in
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
        // A reader that has gone has read enough.
        if error.number != EPIPE { ended.withLock { $0 = error } }
      }
      close(input)
    }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }
}
