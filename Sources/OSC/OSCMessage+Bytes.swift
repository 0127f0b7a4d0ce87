// Encoding and decoding of messages, by liblo.

import CLiblo
import Glibc

extension OSCMessage {
  /// The most arguments that a message may have.
  public static let maximumArguments = 64

  /// - Throws: the fault in the bytes.
  /// - Thread: [any]
  public init(decoding bytes: UnsafeRawBufferPointer) throws(OSCFault) {
    guard let start = bytes.baseAddress, bytes.first == UInt8(ascii: "/") else {
      throw OSCFault("neither a message nor a bundle")
    }
    let tags = Self.tags(bytes)
    guard tags.count <= Self.maximumArguments else {
      throw OSCFault("\(tags.count) arguments; accepted: up to \(Self.maximumArguments)")
    }
    // liblo reads the length of a missing blob; no message here uses blobs anyway.
    guard !tags.contains(UInt8(ascii: "b")) else { throw OSCFault("a blob, which nothing takes") }
    var status: Int32 = 0
    // liblo copies the bytes and does not change them.
    let message = lo_message_deserialise(
      UnsafeMutableRawPointer(mutating: start), bytes.count, &status)
    guard let message else { throw OSCFault(Self.reason(status)) }
    defer { lo_message_free(message) }
    let count = Int(lo_message_get_argc(message))
    let values = lo_message_get_argv(message)
    // In a message that liblo accepts, the address ends within the bytes.
    address = String(cString: start.assumingMemoryBound(to: CChar.self))
    arguments = zip(tags, 0..<count).map { tag, index in Self.argument(tag, values?[index]) }
  }

  /// Returns the type tags; empty if there are none.
  private static func tags(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    guard let end = bytes.firstIndex(of: 0) else { return bytes[0..<0] }
    let start = (end / 4 + 1) * 4
    guard start < bytes.count, bytes[start] == UInt8(ascii: ",") else { return bytes[0..<0] }
    return bytes[(start + 1)...].prefix { $0 != 0 }
  }

  private static func argument(
    _ tag: UInt8, _ value: UnsafeMutablePointer<lo_arg>?
  ) -> OSCArgument {
    // If read as the declared union, a short argument would be read beyond its end.
    switch (Character(UnicodeScalar(tag)), UnsafeRawPointer(value)) {
    case ("i", let value?): .int32(value.loadUnaligned(as: Int32.self))
    case ("h", let value?): .int64(value.loadUnaligned(as: Int64.self))
    case ("f", let value?): .float(value.loadUnaligned(as: Float.self))
    case ("d", let value?): .double(value.loadUnaligned(as: Double.self))
    case ("s", let value?), ("S", let value?):
      .string(String(cString: value.assumingMemoryBound(to: CChar.self)))
    case ("T", _): .boolean(true)
    case ("F", _): .boolean(false)
    case (let tag, _): .other(tag)
    }
  }

  private static func reason(_ status: Int32) -> String {
    switch status {
    case LO_EINVALIDPATH: "an address without an end"
    case LO_ENOTYPE: "no type tags"
    case LO_EINVALIDTYPE, LO_EBADTYPE: "type tags that are none"
    case LO_EINVALIDARG: "an argument of an unknown type, or one that is cut off"
    default: "another length than its arguments have"
    }
  }

  /// The encoded message. A string ends at its first NUL; arguments of other types are omitted.
  /// - Thread: [any]
  public var bytes: [UInt8] {
    let message = lo_message_new()
    defer { lo_message_free(message) }
    for argument in arguments {
      switch argument {
      case .int32(let value): lo_message_add_int32(message, value)
      case .int64(let value): lo_message_add_int64(message, value)
      case .float(let value): lo_message_add_float(message, value)
      case .double(let value): lo_message_add_double(message, value)
      case .string(let text): lo_message_add_string(message, text)
      case .boolean(true): lo_message_add_true(message)
      case .boolean(false): lo_message_add_false(message)
      case .other: break
      }
    }
    var count = 0
    guard let data = lo_message_serialise(message, address, nil, &count) else { return [] }
    defer { free(data) }
    return Array(UnsafeRawBufferPointer(start: data, count: count))
  }
}
