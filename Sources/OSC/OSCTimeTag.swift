// Time tags of bundles.

/// An NTP time, or "at once".
public struct OSCTimeTag: Sendable, Hashable, Comparable {
  /// Units of 2⁻³² seconds since 1900; 0 and 1 mean at once.
  public let bits: UInt64

  public static let immediate = OSCTimeTag(bits: 1)

  public init(bits: UInt64) { self.bits = bits }

  /// Converts a time of the system's clock, in microseconds since 1970.
  public init(unixMicroseconds time: Int64) {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000)
    let fraction = (UInt64(max(rest, 0)) << 32) / 1_000_000
    bits = UInt64(bitPattern: seconds &+ Self.secondsTo1970) << 32 | fraction
  }

  public var isImmediate: Bool { bits <= 1 }

  /// The time in microseconds since 1970, rounded down. NTP's seconds wrap around in 2036:
  /// seconds below 2³¹ count from then.
  public var unixMicroseconds: Int64 {
    let seconds = Int64(bits >> 32)
    let era: Int64 = seconds < 1 << 31 ? 1 << 32 : 0
    let microseconds = Int64(((bits & 0xFFFF_FFFF) * 1_000_000) >> 32)
    return (seconds + era - Self.secondsTo1970) * 1_000_000 + microseconds
  }

  public static func < (one: OSCTimeTag, other: OSCTimeTag) -> Bool {
    if one.isImmediate || other.isImmediate { return one.isImmediate && !other.isImmediate }
    return one.unixMicroseconds < other.unixMicroseconds
  }

  private static let secondsTo1970: Int64 = 2_208_988_800
}
