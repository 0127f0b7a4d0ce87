// A WebSocket that can break all rules.

import Foundation
import Testing

@testable import WebServer

/// A frame that a server has sent.
struct ServerFrame: Equatable {
  let opcode: UInt8
  let bytes: [UInt8]

  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The code of a closing frame.
  var closeCode: Int? {
    opcode == 8 && bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil
  }
}

final class WebSocketClient {
  let raw: RawClient
  private var input: [UInt8] = []
  private var lastID = 0
  /// Notices that came while an answer was awaited, with the ticks that brought them.
  private(set) var notices: [[String: Any]] = []
  private(set) var ticks: [Int] = []
  var acknowledges = true

  /// Opens a WebSocket with a new cookie.
  convenience init(_ test: TestServer, _ access: Access = .member) throws {
    let cookie = try test.cookie(access)
    let fields = TestServer.upgrade + ["Origin: \(test.address)"]
    try self.init(
      test.address, test.head("GET /socket HTTP/1.1", cookie: cookie, fields))
  }

  /// Opens a WebSocket by a head.
  init(_ address: String, _ head: String) throws {
    raw = try RawClient(address)
    raw.send(head)
    let ending = Array("\r\n\r\n".utf8)
    while true {
      let bytes = try #require(raw.read())
      try #require(!bytes.isEmpty, "\(String(decoding: input, as: UTF8.self))")
      input += bytes
      if let end = input.indices.first(where: { input[$0...].starts(with: ending) }) {
        let head = String(decoding: input[..<end], as: UTF8.self)
        try #require(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
        input.removeFirst(end + ending.count)
        return
      }
    }
  }

  /// The bytes of a frame. `first` has the opcode with FIN and RSV.
  static func frame(
    _ first: UInt8, _ payload: [UInt8], isMasked: Bool = true, announced: UInt64? = nil
  ) -> [UInt8] {
    var bytes = [first]
    let mask: UInt8 = isMasked ? 0x80 : 0
    let count = announced ?? UInt64(payload.count)
    if count < 126 {
      bytes.append(mask | UInt8(count))
    } else if count < 65_536 {
      bytes += [mask | 126, UInt8(count >> 8), UInt8(count & 255)]
    } else {
      bytes.append(mask | 127)
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
    guard isMasked else { return bytes + payload }
    let key: [UInt8] = [0x12, 0x34, 0x56, 0x78]
    return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
  }

  func send(_ text: String) { raw.send(Self.frame(0x81, Array(text.utf8))) }

  /// Returns the next frame; nil at the end of the connection.
  func next() throws -> ServerFrame? {
    while true {
      if let frame = takeFrame() { return frame }
      let bytes = try #require(raw.read(), "the server sends nothing")
      if bytes.isEmpty { return nil }
      input += bytes
    }
  }

  private func takeFrame() -> ServerFrame? {
    guard input.count >= 2 else { return nil }
    var (start, count) = (2, Int(input[1] & 127))
    if count > 125 {
      let width = count == 126 ? 2 : 8
      guard input.count >= 2 + width else { return nil }
      count = input[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
      start += width
    }
    guard input.count >= start + count else { return nil }
    let frame = ServerFrame(opcode: input[0] & 15, bytes: Array(input[start..<start + count]))
    input.removeFirst(start + count)
    return frame
  }

  /// Reads to the closing frame, and to the end of the connection.
  func closeCode() throws -> Int? {
    var code: Int?
    while let frame = try next() { code = code ?? frame.closeCode }
    return code
  }

  /// Sends a request, and returns the message that answers it.
  @discardableResult
  func ask(_ session: String, _ request: String) throws -> [String: Any] {
    try ask("\"session\":\"\(session)\",\"request\":\(request)")
  }

  /// Sends a message with a number, and returns the one that answers it.
  @discardableResult
  func ask(_ fields: String) throws -> [String: Any] {
    lastID += 1
    send("{\"id\":\(lastID),\(fields)}")
    return try answer(to: lastID)
  }

  func sessions() throws -> [String] {
    let answer = try ask("\"sessions\":true")["answer"] as? [String: Any]
    return answer?["sessions"] as? [String] ?? []
  }

  func answer(to id: Int) throws -> [String: Any] {
    while true {
      let message = try nextMessage()
      if message["id"] as? Int == id { return message }
    }
  }

  /// Reads a message. Notices are kept, and their tick acknowledged.
  func nextMessage() throws -> [String: Any] {
    while true {
      let frame = try #require(try next(), "the connection has ended")
      if frame.opcode != 1 { continue }
      let message = try #require(
        try JSONSerialization.jsonObject(with: Data(frame.bytes)) as? [String: Any])
      if let tick = message["tick"] as? Int {
        ticks.append(tick)
        notices += message["notices"] as? [[String: Any]] ?? []
        if acknowledges { acknowledge(tick) }
      }
      return message
    }
  }

  func acknowledge(_ tick: Int) { send("{\"acknowledge\":\(tick)}") }

  /// Reads until a notice fulfils a condition, and forgets it and those before.
  func notice(where isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
    while true {
      if let index = notices.firstIndex(where: isWanted) {
        defer { notices.removeFirst(index + 1) }
        return notices[index]
      }
      _ = try nextMessage()
    }
  }
}
