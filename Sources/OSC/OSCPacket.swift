// OSC packets: a message, or nested bundles of messages.

/// The messages of a packet in their order, each with its time.
public struct OSCPacket: Sendable, Equatable {
  public struct Item: Sendable, Equatable {
    public let message: OSCMessage
    public let time: OSCTimeTag
  }

  /// The most bytes of a packet, over TCP too.
  public static let maximumBytes = 65_536
  /// The deepest nesting of bundles.
  public static let maximumDepth = 8

  public private(set) var items: [Item] = []

  /// Reads a whole packet, or nothing if it has a fault.
  /// - Throws: the fault.
  /// - Thread: [any]
  public init(decoding bytes: [UInt8]) throws(OSCFault) {
    guard bytes.count <= Self.maximumBytes else {
      throw OSCFault("\(bytes.count) bytes; accepted: up to \(Self.maximumBytes)")
    }
    let items = bytes.withUnsafeBytes { buffer -> Result<[Item], OSCFault> in
      var items: [Item] = []
      do throws(OSCFault) {
        try Self.read(buffer, at: .immediate, depth: 0, into: &items)
        return .success(items)
      } catch {
        return .failure(error)
      }
    }
    self.items = try items.get()
  }

  /// `#bundle`, with its terminating zero.
  private static let mark: [UInt8] = [0x23, 0x62, 0x75, 0x6E, 0x64, 0x6C, 0x65, 0]

  private static func read(
    _ bytes: UnsafeRawBufferPointer, at time: OSCTimeTag, depth: Int, into items: inout [Item]
  ) throws(OSCFault) {
    guard bytes.count % 4 == 0 else { throw OSCFault("a length that is no multiple of 4") }
    guard bytes.prefix(8).elementsEqual(mark) else {
      items.append(Item(message: try OSCMessage(decoding: bytes), time: time))
      return
    }
    guard depth < maximumDepth else {
      throw OSCFault("more than \(maximumDepth) bundles within each other")
    }
    guard bytes.count >= 16 else { throw OSCFault("a bundle without its time") }
    let own = OSCTimeTag(
      bits: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    // A nested bundle does not precede its parent.
    let time = max(own, time)
    var offset = 16
    while offset < bytes.count {
      // The remaining bytes are a multiple of 4, so the length field fits.
      let length = UInt32(
        bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset += 4
      guard Int(length) <= bytes.count - offset, length > 0 else {
        throw OSCFault("a part of a bundle that is longer than the bundle, or empty")
      }
      let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
      try read(part, at: time, depth: depth + 1, into: &items)
      offset += Int(length)
    }
  }
}
