// The place of a unit's box in a picture of its session.

/// The left upper corner of a unit's box, in CSS pixels. In JSON a list of two numbers.
///
/// - Thread: [any]
public struct BoxPosition: Sendable, Hashable, Codable {
  /// The accepted values.
  package static let range = -100_000.0...100_000

  /// The way to the right.
  public let x: Double
  /// The way down.
  public let y: Double

  /// - Parameters: two values in `range`.
  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    (x, y) = (try list.decode(Double.self), try list.decode(Double.self))
    guard list.isAtEnd, Self.range.contains(x), Self.range.contains(y) else {
      throw DecodingError.dataCorruptedError(
        in: list, debugDescription: "a place is two numbers from -100000 to 100000")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(x)
    try list.encode(y)
  }
}
