// A UDP socket that sends well-formed and malformed OSC.

import CNetworkSocket
import Foundation
import OSC
import TestSupport

/// Sends datagrams from a separate port, and reads the answers to it.
public final class OSCTestSender: Sendable {
  private let descriptor: Int32
  private let place: NetworkAddress

  /// - Parameters:
  ///   - url: the receiver, such as `osc.udp://127.0.0.1:9000/`.
  ///   - host: the numeric address to send from.
  public init(to url: String, from host: String = "127.0.0.1") throws {
    let parts = url.split(whereSeparator: { "/:".contains($0) })
    var (place, address) = (NetworkAddress(), NetworkAddress())
    guard parts.count == 3, let port = UInt16(parts[2]),
      networkAddressRead(String(parts[1]), &place) == 1, networkAddressRead(host, &address) == 1
    else { throw RigError.timedOut(waitingFor: "an address", output: url) }
    place.port = port
    self.place = place
    descriptor = networkSocketOpen(0, &address)
  }

  deinit { close(descriptor) }

  public func send(_ message: OSCMessage) throws { send(bytes: message.bytes) }

  public func send(bytes: [UInt8]) {
    var address = place
    while networkSocketSend(descriptor, bytes, bytes.count, &address) < 0 && errno == EAGAIN {
      usleep(100)
    }
  }

  public func send(bundle messages: [OSCMessage], at time: OSCTimeTag) throws {
    send(bytes: Self.bundle(messages, at: time))
  }

  public static func bundle(_ messages: [OSCMessage], at time: OSCTimeTag) -> [UInt8] {
    Array("#bundle\0".utf8) + bigEndian(time.bits)
      + messages.flatMap { bigEndian(UInt32($0.bytes.count)) + $0.bytes }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Returns the next answer.
  public func answer() async throws -> OSCMessage {
    var answer: OSCMessage?
    _ = await eventually {
      answer = answerAtOnce()
      return answer != nil
    }
    guard let answer else { throw RigError.timedOut(waitingFor: "an answer", output: "") }
    return answer
  }

  /// Returns the next answer if it has arrived.
  public func answerAtOnce() -> OSCMessage? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var from = NetworkAddress()
    let count = networkSocketReceive(descriptor, &buffer, buffer.count, &from)
    return count > 0 ? try? OSCPacket(decoding: Array(buffer[..<count])).items[0].message : nil
  }

  /// Sends a message, and returns the next answer.
  public func ask(_ address: String, _ arguments: OSCArgument...) async throws -> OSCMessage {
    try send(OSCMessage(address, arguments))
    return try await answer()
  }
}
