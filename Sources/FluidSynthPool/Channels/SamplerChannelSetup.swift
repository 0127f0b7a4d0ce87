// The initial state of a sampler's channels.

/// The meaning of bank selects: controller 0 is the more significant byte, controller 32 the less.
///
/// - Thread: [any]
public enum BankSelect: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Controller 0 is the bank, 32 is ignored.
  case gs
  /// Both controllers are ignored.
  case gm
  /// Controller 32 is the bank; 0 makes a channel one of percussion from 120 on, and one of notes
  /// below.
  case xg
  /// The bank is 128 times controller 0, plus controller 32.
  case mma
}

/// The state of a sampler's channels at first, and after a reset.
///
/// - Thread: [any]
public struct SamplerChannelSetup: Sendable, Equatable {
  /// The MIDI channels, 1 to 16, that play the font's percussion kit (bank 128) if it has one.
  public var drumChannels: Set<Int>
  /// The standard of bank selects, until a reset of GM, GS or XG chooses another.
  public var bankSelect: BankSelect

  /// - Parameter drumChannels: 1 to 16 each; others are left out.
  public init(drumChannels: Set<Int> = [10], bankSelect: BankSelect = .gs) {
    self.drumChannels = drumChannels.filter { (1...16).contains($0) }
    self.bankSelect = bankSelect
  }

  /// A bit for each channel, the lowest for channel 1.
  var drumMask: UInt16 { drumChannels.reduce(0) { $0 | 1 << UInt16($1 - 1) } }
}
