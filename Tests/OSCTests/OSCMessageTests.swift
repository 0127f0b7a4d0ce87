// Messages and packets: reading, writing and refusals.

import TestSupport
import Testing

@testable import OSC

/// Returns the bytes of a bundle, written without the library.
func bundle(_ time: OSCTimeTag = .immediate, _ parts: [UInt8]...) -> [UInt8] {
  Array("#bundle\0".utf8) + bigEndian(time.bits)
    + parts.flatMap { bigEndian(UInt32($0.count)) + $0 }
}

func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: value.bigEndian) { Array($0) }
}

/// Returns the bytes of a string in a message: zeros fill it up to a multiple of 4.
private func text(_ text: String) -> [UInt8] {
  let bytes = Array(text.utf8) + [0]
  return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
}

@Suite struct OSCMessageTests {
  private func read(_ bytes: [UInt8]) throws(OSCFault) -> [OSCMessage] {
    try OSCPacket(decoding: bytes).items.map(\.message)
  }

  private func fault(_ bytes: [UInt8]) -> String {
    do throws(OSCFault) {
      Issue.record("\(try read(bytes))")
      return ""
    } catch { return error.description }
  }

  @Test func messagesAreReadAsTheyWereWritten() throws {
    let message = OSCMessage(
      "/piano/gain",
      [
        .float(-3.5), .int32(.min), .int64(.max), .double(1e300), .string("2 kHz"), .string(""),
        .boolean(true), .boolean(false), .string("Zoë"),
      ])
    #expect(try read(message.bytes) == [message])
    #expect(try read(OSCMessage("/a").bytes) == [OSCMessage("/a")])
    // Written by hand: two strings, a symbol, and types without a value.
    let bytes = text("/a/b") + text(",sSNIr") + text("one") + text("two") + [1, 2, 3, 4]
    #expect(fault(bytes).contains("unknown type"))
    #expect(
      try read(text("/a/b") + text(",sSNI") + text("one") + text("two")) == [
        OSCMessage("/a/b", [.string("one"), .string("two"), .other("N"), .other("I")])
      ])
  }

  @Test func truncatedFalseAndUnknownMessagesAreRefused() {
    #expect(fault([]).contains("neither"))
    #expect(fault(text("piano")).contains("neither"))
    #expect(fault([0x2F, 0x61, 0]).contains("multiple of 4"))
    #expect(fault([0x2F, 0x61, 0x61, 0x61]).contains("without an end"))
    #expect(fault(text("/a")).contains("no type tags"))
    #expect(fault(text("/a") + text("if")).contains("type tags"))
    #expect(fault(text("/a") + text(",f")).contains("cut off"))
    #expect(fault(text("/a") + text(",s") + [65, 65, 65, 65]).contains("cut off"))
    #expect(fault(text("/a") + text(",i") + [0, 0, 0, 1, 0, 0, 0, 2]).contains("length"))
    // Blobs, all refused: a missing one, one longer than everything, and a valid one.
    for rest: [UInt8] in [[], bigEndian(UInt32.max), [0, 0, 0, 1, 9, 0, 0, 0]] {
      #expect(fault(text("/a") + text(",b") + rest).contains("blob"))
    }
    let many = text("/a") + text("," + String(repeating: "T", count: 65))
    #expect(fault(many).contains("65 arguments"))
    #expect(fault([UInt8](repeating: 0, count: 65_540)).contains("65540 bytes"))
  }

  @Test func bundlesKeepTheirOrderAndTheirTimes() throws {
    let early = OSCTimeTag(unixMicroseconds: 1_700_000_000_000_000)
    let late = OSCTimeTag(unixMicroseconds: 1_700_000_000_500_000)
    let (a, b, c) = (OSCMessage("/a"), OSCMessage("/b"), OSCMessage("/c"))
    let packet = try OSCPacket(
      decoding: bundle(late, a.bytes, bundle(early, b.bytes), bundle(.immediate), c.bytes))
    #expect(packet.items.map(\.message) == [a, b, c])
    // A nested bundle is not due before the outer one.
    #expect(packet.items.allSatisfy { $0.time == late })
    #expect(try OSCPacket(decoding: bundle()).items.isEmpty)
    #expect(try OSCPacket(decoding: bundle(early, bundle(late, a.bytes))).items[0].time == late)
  }

  @Test func bundlesThatLieOrAreTooDeepAreRefusedAsAWhole() {
    let message = OSCMessage("/a").bytes
    #expect(fault(bundle(.immediate, message) + [0, 0, 0, 8]).contains("longer than the bundle"))
    #expect(fault(bundle() + bigEndian(UInt32.max) + message).contains("longer than the bundle"))
    #expect(fault(bundle() + [0, 0, 0, 0]).contains("or empty"))
    #expect(fault(bundle(.immediate, message, text("/b"))).contains("no type tags"))
    #expect(fault(Array(bundle().prefix(12))).contains("without its time"))
    var deep = bundle(.immediate, message)
    for _ in 1..<8 { deep = bundle(.immediate, deep) }
    #expect(throws: Never.self) { try OSCPacket(decoding: deep) }
    #expect(fault(bundle(.immediate, deep)).contains("more than 8"))
    for _ in 0..<2000 { deep = bundle(.immediate, deep) }
    #expect(fault(deep).contains("more than 8"))
  }

  @Test func timesArePreciseAndGoOnAfter2036() {
    for time: Int64 in [0, 1_700_000_000_123_456, 2_085_978_495_999_999, 2_085_978_496_000_001] {
      #expect(abs(OSCTimeTag(unixMicroseconds: time).unixMicroseconds - time) <= 1)
    }
    #expect(OSCTimeTag(bits: 0).isImmediate && OSCTimeTag.immediate.isImmediate)
    #expect(OSCTimeTag.immediate < OSCTimeTag(bits: 2))
    // The last second of an era is before the first of the next one.
    #expect(OSCTimeTag(bits: .max) < OSCTimeTag(bits: 1 << 32))
  }

  /// No bytes end the program, and every packet that is read can be written.
  @Test(arguments: 0..<40)
  func spoiltPacketsAreReadOrRefused(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let good = bundle(
      OSCTimeTag(bits: random.next()),
      OSCMessage("/piano/gain", [.float(1), .int32(2), .string("three"), .boolean(true)]).bytes,
      bundle(.immediate, OSCMessage("/auricle/list", [.double(4), .int64(5)]).bytes))
    var read = 0
    for _ in 0..<500 {
      let bytes = mutate(good, using: &random, maximumEdits: 3)
      guard let packet = try? OSCPacket(decoding: bytes) else { continue }
      read += 1
      #expect(packet.items.allSatisfy { $0.message.address.hasPrefix("/") })
      for item in packet.items { #expect(!item.message.bytes.isEmpty) }
    }
    #expect(read > 0 && read < 500)
  }
}
