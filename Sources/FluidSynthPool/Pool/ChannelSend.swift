// How much of a channel goes from a synth to the effects.

/// The sends of one channel of one synth. They change along a line over a block.
struct ChannelSend: BitwiseCopyable {
  /// What the SoundFont sends of the newest note, in tenths of a percent.
  private var reverbGenerator: Float = 0
  private var chorusGenerator: Float = 0
  /// What makes the note before panning of the sum of left and right.
  private var centering: Float = 0.707_106_8
  /// Whether nothing of the channel has sounded on the synth since it rested.
  private var isFresh = true
  private(set) var reverb = BlockRamp()
  private(set) var chorus = BlockRamp()

  @_noLocks @_noAllocation
  init() {}

  /// Begins anew, without a way from earlier values.
  @_noLocks @_noAllocation
  mutating func forget() { self = ChannelSend() }

  @_noLocks @_noAllocation
  mutating func take(reverb: Float, chorus: Float, centering: Float) {
    (reverbGenerator, chorusGenerator, self.centering) = (reverb, chorus, centering)
  }

  /// At the bound of a block: aims at what the channel's controllers 91 and 93 say now.
  @_noLocks @_noAllocation
  mutating func beginBlock(reverbDepth: UInt8, chorusDepth: UInt8) {
    reverb.aim(
      at: Self.amount(reverbGenerator, reverbDepth) * centering, isImmediate: isFresh)
    chorus.aim(
      at: Self.amount(chorusGenerator, chorusDepth) * centering, isImmediate: isFresh)
    isFresh = false
  }

  /// FluidSynth's law, 0 to 1: the generator, and up to 20 % by the controller.
  @_noLocks @_noAllocation
  static func amount(_ generator: Float, _ controller: UInt8) -> Float {
    let thousandths = generator + Float(controller) * (200 / 127)
    return thousandths > 0 ? min(thousandths / 1000, 1) : 0
  }

  /// FluidSynth pans by the law of constant power and sends what was before: for a position in
  /// tenths of a percent, −500 to 500, this is 1 / (cos + sin).
  @_noLocks @_noAllocation
  static func centering(position: Float) -> Float {
    let held = position > -500 ? min(position, 500) : -500
    return Float(0.707_106_781_186_547_5 / Vouched.cosine(Double(held) * (.pi / 2000)))
  }

  /// What controller 10 adds to the position.
  @_noLocks @_noAllocation
  static func position(panController value: UInt8) -> Float {
    (Float(value > 1 ? value - 1 : 0) / 63 - 1) * 500
  }
}

/// A gain that moves along a line over each of a synth's blocks. It is a function of the frame in
/// the block, so that no sample depends on how the calls are split.
struct BlockRamp: BitwiseCopyable {
  private var start: Float = 0
  private var end: Float = 0

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  mutating func aim(at value: Float, isImmediate: Bool) {
    start = isImmediate ? value : end
    end = value
  }

  var isZero: Bool { @_noLocks @_noAllocation get { start == 0 && end == 0 } }

  /// The gain at a frame of the block, 0 to 63.
  @_noLocks @_noAllocation
  func value(at frame: Int) -> Float {
    start + (end - start) * (Float(frame &+ 1) * (1 / 64))
  }
}
