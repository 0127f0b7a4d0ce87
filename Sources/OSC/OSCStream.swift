// OSC packets in a byte stream.

/// A parser of packets in a TCP connection's bytes. Each packet follows its length, as in OSC 1.0,
/// or is in SLIP, as in OSC 1.1; the first byte decides.
struct OSCStream {
  private enum Framing { case unknown, lengths, slip }

  /// Whether the other side uses SLIP.
  var isSlip: Bool { framing == .slip }

  private var framing = Framing.unknown
  private var input: [UInt8] = []
  /// The number of consumed bytes.
  private var start = 0
  /// The number of bytes known to contain no end of a packet.
  private var searched = 0

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    input.removeFirst(start)
    searched -= start
    start = 0
    input += bytes
  }

  /// Returns the next packet; nil while it is incomplete. Buffers at most one incomplete packet.
  /// - Throws: a fault after which the stream cannot be read further.
  mutating func next() throws(OSCFault) -> [UInt8]? {
    if framing == .unknown, start < input.count {
      framing = input[start] == Self.end ? .slip : .lengths
    }
    return framing == .slip ? try nextOfSlip() : try nextOfLengths()
  }

  private mutating func nextOfLengths() throws(OSCFault) -> [UInt8]? {
    guard input.count - start >= 4 else { return nil }
    let length = input[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, length <= OSCPacket.maximumBytes, length % 4 == 0 else {
      throw OSCFault(
        "a packet of \(length) bytes; accepted: multiples of 4 up to \(OSCPacket.maximumBytes)")
    }
    guard input.count - start >= 4 + length else { return nil }
    defer { start += 4 + length }
    return Array(input[start + 4..<start + 4 + length])
  }

  private mutating func nextOfSlip() throws(OSCFault) -> [UInt8]? {
    while true {
      searched = max(searched, start)
      guard let end = input[searched...].firstIndex(of: Self.end) else {
        searched = input.count
        // SLIP may write a byte as two.
        guard input.count - start <= 2 * OSCPacket.maximumBytes else {
          throw OSCFault("no end of a packet in \(2 * OSCPacket.maximumBytes) bytes")
        }
        return nil
      }
      let written = input[start..<end]
      (start, searched) = (end + 1, end + 1)
      if !written.isEmpty { return try Self.unescaped(written) }
    }
  }

  private static let end: UInt8 = 0xC0
  private static let escape: UInt8 = 0xDB

  private static func unescaped(_ written: ArraySlice<UInt8>) throws(OSCFault) -> [UInt8] {
    var packet: [UInt8] = []
    packet.reserveCapacity(written.count)
    var isEscaped = false
    for byte in written {
      switch (isEscaped, byte) {
      case (true, 0xDC): packet.append(end)
      case (true, 0xDD): packet.append(escape)
      case (true, _): throw OSCFault("an escape of SLIP before \(byte)")
      case (false, escape): break
      case (false, _): packet.append(byte)
      }
      isEscaped = !isEscaped && byte == escape
    }
    if isEscaped { throw OSCFault("an escape of SLIP at the end of a packet") }
    return packet
  }

  /// Returns a packet with its framing.
  static func framed(_ packet: [UInt8], isSlip: Bool) -> [UInt8] {
    guard isSlip else {
      let length = UInt32(packet.count)
      return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + packet
    }
    return [end]
      + packet.flatMap { (byte: UInt8) -> [UInt8] in
        byte == end ? [escape, 0xDC] : byte == escape ? [escape, 0xDD] : [byte]
      } + [end]
  }
}
