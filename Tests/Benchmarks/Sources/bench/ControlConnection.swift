// A client of a session's control socket.

import Foundation
import Glibc

/// A connection to a session.
final class ControlConnection {
  private let descriptor: Int32
  private var received: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { memory in
      for (index, byte) in path.utf8.prefix(memory.count - 1).enumerated() { memory[index] = byte }
    }
    for _ in 0..<200 {
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      if result == 0 { return }
      usleep(50_000)
    }
    throw BenchmarkError("no session listens at \(path)")
  }

  deinit { close(descriptor) }

  /// Sends a command and returns the session's answer.
  func ask(_ line: String) throws -> [String: Any] {
    try send(line)
    return try answer()
  }

  func send(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw BenchmarkError("the session has gone")
    }
  }

  /// Returns the next answer of the session.
  func answer() throws -> [String: Any] {
    while true {
      if let end = received.firstIndex(of: 10) {
        let object = try JSONSerialization.jsonObject(with: Data(received[..<end]))
        received.removeFirst(end + 1)
        guard let reply = (object as? [String: Any])?["answer"] as? [String: Any] else {
          throw BenchmarkError("\(object)")
        }
        return reply
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw BenchmarkError("the session has gone") }
      received += buffer[..<count]
    }
  }
}
