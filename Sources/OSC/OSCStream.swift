// Packets in a stream of bytes.

/// Takes packets out of what a TCP connection brings: each behind its length, as OSC 1.0 has it, or
/// in SLIP, as OSC 1.1. The first byte says which.
struct OSCStream {
  private enum Framing { case unknown, lengths, slip }

  /// Whether the other side writes in SLIP.
  var isSlip: Bool { framing == .slip }

  private var framing = Framing.unknown
  private var input: [UInt8] = []
  /// How much of it was taken out.
  private var start = 0
  /// How much of it is known to end no packet.
  private var searched = 0

  mutating func take(_ bytes: ArraySlice<UInt8>) {
    input.removeFirst(start)
    searched -= start
    start = 0
    input += bytes
  }

  /// The next packet; nil while it is not whole. What is kept is no longer than a packet.
  /// - Throws: why the stream cannot be followed any more.
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
        // Each byte may be written as two.
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

  /// A packet as it is written.
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
