// Packets in a stream, however it is divided.

import TestSupport
import Testing

@testable import OSC

@Suite struct OSCStreamTests {
  private let packets: [[UInt8]] = [
    OSCMessage("/a").bytes, OSCMessage("/b", [.int32(-1_061_109_568), .int32(-606_348_325)]).bytes,
    OSCMessage("/c", [.string("À and Û")]).bytes,
  ]

  private func packets(in bytes: [UInt8], by size: Int) throws(OSCFault) -> [[UInt8]] {
    var stream = OSCStream()
    var found: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      stream.take(rest.prefix(size))
      rest = rest.dropFirst(size)
      while let packet = try stream.next() { found.append(packet) }
    }
    return found
  }

  @Test(arguments: [false, true], [1, 2, 3, 7, 64, 4096])
  func packetsAreFoundInPiecesOfAnySize(_ isSlip: Bool, _ size: Int) throws {
    let bytes = packets.flatMap { OSCStream.framed($0, isSlip: isSlip) }
    #expect(try packets(in: bytes, by: size) == packets)
  }

  @Test func slipWithOneEndBetweenPacketsIsRead() throws {
    #expect(try packets(in: [0xC0, 1, 0xC0, 0xC0, 2, 0xC0, 3, 0xC0], by: 8) == [[1], [2], [3]])
  }

  @Test(arguments: [
    [0, 0, 0, 0], [0, 0, 0, 6], [0, 1, 0, 4], [0xFF, 0xFF, 0xFF, 0xFC], [0x47, 0x45, 0x54, 0x20],
    [0xC0, 0xDB, 1, 0xC0], [0xC0, 1, 0xDB, 0xC0],
  ])
  func streamsThatLieAreRefused(_ bytes: [UInt8]) {
    #expect(throws: OSCFault.self) { try packets(in: bytes, by: 64) }
  }

  @Test func aPacketWithoutAnEndIsNotKeptForEver() {
    var stream = OSCStream()
    stream.take([0xC0])
    let piece = [UInt8](repeating: 1, count: 16_384)[...]
    var pieces = 0
    do throws(OSCFault) {
      while pieces < 100, try stream.next() == nil {
        stream.take(piece)
        pieces += 1
      }
    } catch {}
    #expect(pieces == 9)
  }
}
