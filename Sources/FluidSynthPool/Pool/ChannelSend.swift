// The sends of a channel from a synth to the effects.

/// The sends of one channel of one synth. They change linearly over a block.
struct ChannelSend: BitwiseCopyable {
  /// The SoundFont's sends of the newest note, in tenths of a percent.
  private var reverbGenerator: Float = 0
  private var chorusGenerator: Float = 0
  /// The factor that turns the sum of left and right into the note before panning.
  private var centering: Float = 0.707_106_8
  /// Whether nothing of the channel has sounded on the synth since it rested.
  private var isFresh = true
  private(set) var reverb = BlockRamp()
  private(set) var chorus = BlockRamp()

  @_noLocks @_noAllocation
  init() {}

  /// Restarts, without a ramp from earlier values.
  @_noLocks @_noAllocation
  mutating func forget() { self = ChannelSend() }

  @_noLocks @_noAllocation
  mutating func take(reverb: Float, chorus: Float, centering: Float) {
    (reverbGenerator, chorusGenerator, self.centering) = (reverb, chorus, centering)
  }

  /// Begins a block: sets the targets given by the channel's controllers 91 and 93.
  @_noLocks @_noAllocation
  mutating func beginBlock(reverbDepth: UInt8, chorusDepth: UInt8) {
    reverb.aim(
      at: Self.amount(reverbGenerator, reverbDepth) * centering, isImmediate: isFresh)
    chorus.aim(
      at: Self.amount(chorusGenerator, chorusDepth) * centering, isImmediate: isFresh)
    isFresh = false
  }

  /// FluidSynth's law, 0 to 1: the generator, plus up to 20 % from the controller.
  @_noLocks @_noAllocation
  static func amount(_ generator: Float, _ controller: UInt8) -> Float {
    let thousandths = generator + Float(controller) * (200 / 127)
    return thousandths > 0 ? min(thousandths / 1000, 1) : 0
  }

  /// The centering at a position in tenths of a percent, −500 to 500: 1 / (cos + sin). FluidSynth
  /// pans by the law of constant power, and sends the signal before it.
  @_noLocks @_noAllocation
  static func centering(position: Float) -> Float {
    let held = position > -500 ? min(position, 500) : -500
    return Float(0.707_106_781_186_547_5 / Vouched.cosine(Double(held) * (.pi / 2000)))
  }

  /// The offset of the position by controller 10.
  @_noLocks @_noAllocation
  static func position(panController value: UInt8) -> Float {
    (Float(value > 1 ? value - 1 : 0) / 63 - 1) * 500
  }
}

/// A gain that moves linearly over each of a synth's blocks. It is a function of the frame in the
/// block, so that no sample depends on how the calls are split.
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
