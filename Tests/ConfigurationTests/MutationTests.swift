// Reading any file ends with a configuration or with a problem that has a line.
import Configuration
import Foundation
import Testing

struct MutationTests {
  static let pieces: [[UInt8]] =
    [
      "[[", "]]", "{", "}", "=", ".", "\"", "'''", "\"\"\"", "#", "\n", ",", "-", "nan", "1e999",
      "9223372036854775807", "\\u0000", "\\U0010FFFF", "é", "\u{2028}", "[unit]", "[[unit]]",
      "midi",
      "1979-05-27T07:32:00Z", "0x", "true", "a.b.c", "\u{FEFF}",
    ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xE2, 0x80], [0xF4, 0x90, 0x80, 0x80]]

  @Test(arguments: 0..<8)
  func mutatedConfigurationsNeverEndTheProgram(_ part: UInt64) {
    var random = SplitMix(state: part &+ 1)
    let seed = Array(ConfigurationTests.example.utf8)
    var accepted = 0
    for _ in 0..<400 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes, using: &random) }
      do throws(ConfigurationError) {
        let configuration = try SessionConfiguration(
          bytes: bytes, file: "fuzz", kinds: TestUnits.all)
        #expect(!configuration.units.isEmpty)
        accepted += 1
      } catch {
        #expect(!error.first.message.isEmpty)
      }
    }
    #expect(accepted < 400)
  }

  func mutate(_ bytes: inout [UInt8], using random: inout SplitMix) {
    let at = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, at + Int.random(in: 0...20, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.replaceSubrange(at..<end, with: [])
    case 1:
      bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &random))
    case 2: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random)!, at: at)
    case 3: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
    case 4: if at < bytes.count { bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random) }
    default:
      let piece = Self.pieces.randomElement(using: &random)!
      let count = Int.random(in: 1...300, using: &random)
      bytes.insert(contentsOf: (0..<count).flatMap { _ in piece }, at: at)
    }
  }
}

/// A SplitMix64 generator, whose sequence a seed repeats.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
