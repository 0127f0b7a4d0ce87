// A client that sends bytes as they are.

import Foundation
import Testing

/// A TCP connection that blocks, with a long limit for reading.
final class RawClient: Sendable {
  let descriptor: Int32

  /// Connects to `http://HOST:PORT`. A host that is a name stands for this machine.
  init(_ address: String) throws {
    let parts = try #require(URLComponents(string: address))
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = in_port_t(try #require(parts.port)).bigEndian
    inet_pton(AF_INET, parts.host ?? "", &name.sin_addr)
    let state = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(state == 0)
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends bytes; a server that has closed the connection is no error.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Ends the sending direction.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads at most so many bytes; empty at the end, nil if nothing came within the limit.
  func read(_ most: Int = 65_536) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: most)
    while true {
      let count = recv(descriptor, &buffer, most, 0)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return errno == EAGAIN ? nil : [] }
      return Array(buffer[..<count])
    }
  }

  /// Reads until the server ends the connection.
  func readToEnd() throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try #require(read(), "the server does not end the connection")
      if bytes.isEmpty { return all }
      all += bytes
    }
  }
}

/// A response of HTTP.
struct Response {
  let status: Int
  let fields: [String: String]
  let body: String

  /// Reads the first response of a connection that the server ends; nil for an empty answer.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    self.status = status
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    self.fields = fields
    body = String(text[end.upperBound...])
  }
}
