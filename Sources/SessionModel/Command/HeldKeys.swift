// Keys and pedals that a client holds.

/// The effect of a channel message on the keys and pedals that are held. The associated values are
/// messages that release them.
package enum HoldChange: Equatable {
  /// A key is pressed, once more if it is held.
  case press([UInt8])
  /// A pedal is pressed.
  case hold([UInt8])
  /// A key or a pedal is released.
  case release([UInt8])
  /// All keys or pedals whose releases have this status are released.
  case releaseAll(status: UInt8)
  case none

  /// Hold, sostenuto, soft and second hold pedal.
  private static let pedals: Set<UInt8> = [64, 66, 67, 69]

  package init(_ bytes: [UInt8]) {
    guard bytes.count == 3 else {
      self = .none
      return
    }
    let (channel, number, value) = (bytes[0] & 0x0F, bytes[1], bytes[2])
    let (key, pedal) = ([0x80 | channel, number, 64], [0xB0 | channel, number, 0])
    switch bytes[0] & 0xF0 {
    case 0x90 where value > 0: self = .press(key)
    case 0x80, 0x90: self = .release(key)
    case 0xB0 where Self.pedals.contains(number):
      self = value >= 64 ? .hold(pedal) : .release(pedal)
    // Reset All Controllers.
    case 0xB0 where number == 121: self = .releaseAll(status: 0xB0 | channel)
    // All Sound Off, All Notes Off and the mode messages that contain it.
    case 0xB0 where number == 120 || number > 122: self = .releaseAll(status: 0x80 | channel)
    default: self = .none
    }
  }

  package var isPress: Bool {
    switch self {
    case .press, .hold: true
    case .release, .releaseAll, .none: false
    }
  }

  package var isRelease: Bool {
    switch self {
    case .release, .releaseAll: true
    case .press, .hold, .none: false
    }
  }
}

/// The keys and pedals that a client has pressed and not released, so that they can be released
/// when it has gone.
package struct HeldKeys<Time: Comparable & Sendable>: Sendable {
  /// A message that releases a key or a pedal of a unit.
  package struct Release: Hashable, Sendable {
    package let unit: String
    package let bytes: [UInt8]

    package init(unit: String, bytes: [UInt8]) { (self.unit, self.bytes) = (unit, bytes) }
  }

  /// The maximum number of presses.
  package static var maximumPresses: Int { 1024 }

  /// Number of presses of each that were not released.
  private var counts: [Release: Int] = [:]
  /// The latest time of a message; none of them takes effect after it.
  package private(set) var latest: Time?

  package init() {}

  /// Whether a message may be played: a press only below the maximum.
  package func mayTake(_ bytes: [UInt8]) -> Bool {
    !HoldChange(bytes).isPress || counts.values.reduce(0, +) < Self.maximumPresses
  }

  /// Records a message that is played.
  package mutating func take(_ bytes: [UInt8], at unit: String, time: Time?) {
    if let time { latest = max(time, latest ?? time) }
    switch HoldChange(bytes) {
    case .press(let bytes): counts[Release(unit: unit, bytes: bytes), default: 0] += 1
    case .hold(let bytes): counts[Release(unit: unit, bytes: bytes)] = 1
    case .release(let bytes):
      let release = Release(unit: unit, bytes: bytes)
      let count = counts[release] ?? 0
      counts[release] = count > 1 ? count - 1 : nil
    case .releaseAll(let status):
      counts = counts.filter { $0.key.unit != unit || $0.key.bytes[0] != status }
    case .none: break
    }
  }

  /// Removes and returns a release for each press.
  package mutating func removeAll() -> [Release] {
    defer { counts = [:] }
    return counts.flatMap { Array(repeating: $0.key, count: $0.value) }
  }
}
