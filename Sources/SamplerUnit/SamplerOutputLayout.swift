// Output layouts of a sampler.

/// The output busses of a sampler, all stereo. Chosen when a unit is made.
///
/// - Thread: [any]
public enum SamplerOutputLayout: String, Sendable, CaseIterable {
  /// One bus, "Output", with everything.
  case stereo
  /// A bus for each MIDI channel, "Channel 1" to "Channel 16", dry, and a 17th, "Effects", with the
  /// returns of the effects. Each channel can be mixed separately; one fader moves all effects.
  case channels
  /// "Dry", "Reverb" and "Chorus".
  case dryAndEffects = "dry+effects"

  /// Count of busses.
  public var busCount: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .stereo: 1
      case .channels: 17
      case .dryAndEffects: 3
      }
    }
  }

  /// The names of the busses, in order.
  public var busNames: [String] {
    switch self {
    case .stereo: ["Output"]
    case .channels: (1...16).map { "Channel \($0)" } + ["Effects"]
    case .dryAndEffects: ["Dry", "Reverb", "Chorus"]
    }
  }

  /// The bus of a MIDI channel, 0 to 15.
  @_noLocks @_noAllocation
  func dryBus(channel: Int) -> Int {
    switch self {
    case .channels: channel
    case .stereo, .dryAndEffects: 0
    }
  }

  var reverbBus: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .stereo: 0
      case .channels: 16
      case .dryAndEffects: 1
      }
    }
  }

  var chorusBus: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .stereo: 0
      case .channels: 16
      case .dryAndEffects: 2
      }
    }
  }
}
