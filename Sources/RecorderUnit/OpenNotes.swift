// Notes and pedals that a take leaves down.

/// The keys and pedals that are down after the messages so far.
struct OpenNotes {
  /// Channel and key, and channel and controller of a pedal, as the first two bytes of the messages
  /// that release them.
  private var open: Set<[UInt8]> = []

  /// Notes a channel message; others change nothing.
  mutating func note(_ message: [UInt8]) {
    guard message.count == 3 else { return }
    let channel = message[0] & 0x0F
    switch message[0] & 0xF0 {
    case 0x90 where message[2] > 0: open.insert([0x80 | channel, message[1]])
    case 0x80, 0x90: open.remove([0x80 | channel, message[1]])
    case 0xB0 where Self.pedals.contains(message[1]):
      let pedal = [0xB0 | channel, message[1]]
      if message[2] >= 64 { open.insert(pedal) } else { open.remove(pedal) }
    default: break
    }
  }

  /// Messages that release all of them: keys before pedals, by channel and number.
  var releases: [[UInt8]] {
    open.map { $0 + [$0[0] < 0x90 ? 64 : 0] }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Sustain, sostenuto, soft and hold 2.
  private static let pedals: Set<UInt8> = [64, 66, 67, 69]
}
