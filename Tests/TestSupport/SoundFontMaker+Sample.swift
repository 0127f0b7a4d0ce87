// Generated samples of a test SoundFont.

extension SoundFontMaker {
  /// Mono audio in a SoundFont; equal samples are stored once.
  public struct Sample: Sendable, Hashable {
    /// At most 19 characters are kept.
    public var name: String
    /// −1 to 1; stored as 16-bit integers, rounded to nearest.
    public var frames: [Float]
    public var sampleRate: UInt32
    /// The key that plays the sample at its own speed.
    public var rootKey: UInt8
    /// Added to the pitch, in cents.
    public var correctionCents: Int8 = 0
    /// The frames repeated while the note sounds; nil plays the sample once.
    public var loop: Range<Int>?

    public init(
      name: String, frames: [Float], sampleRate: UInt32 = 48_000, rootKey: UInt8 = 60,
      loop: Range<Int>? = nil
    ) {
      self.name = name
      self.frames = frames
      self.sampleRate = sampleRate
      self.rootKey = rootKey
      self.loop = loop
    }

    /// A single frame of full level, `offset` frames after the start, in silence.
    ///
    /// FluidSynth fades each voice in over its first 64 frames, so frame 0 of a sample is
    /// inaudible; hence the offset. At the root key the click sounds `offset` frames after its
    /// note, and at velocity 127 with full level.
    public static func click(offset: Int = 64, sampleRate: UInt32 = 48_000) -> Sample {
      Sample(
        name: "Click \(offset)", frames: Signal.impulse(frames: offset + 192, at: offset),
        sampleRate: sampleRate)
    }

    /// An endless sine: whole periods of `periodFrames` frames, looped without a seam.
    ///
    /// At the root key its frequency is sampleRate / periodFrames: 480 Hz by default.
    public static func sine(
      periodFrames: Int = 100, amplitude: Double = 0.5, sampleRate: UInt32 = 48_000
    ) -> Sample {
      let frames = (1_000 / periodFrames + 1) * periodFrames
      let signal = Signal.sine(
        frames: 2 * frames, frequencyHertz: Double(sampleRate) / Double(periodFrames),
        sampleRate: Double(sampleRate), amplitude: amplitude)
      return Sample(
        name: "Sine \(periodFrames)", frames: signal, sampleRate: sampleRate,
        loop: frames..<(2 * frames))
    }

    /// White noise, played once, or looped except for its first and last 8 frames.
    public static func noise(
      seed: UInt64, frames: Int = 4_800, amplitude: Float = 0.5, isLooped: Bool = false,
      sampleRate: UInt32 = 48_000
    ) -> Sample {
      Sample(
        name: "Noise \(seed)",
        frames: Signal.noise(frames: frames, seed: seed, amplitude: amplitude),
        sampleRate: sampleRate, loop: isLooped ? 8..<(frames - 8) : nil)
    }

    /// An endless constant, which shows gain, envelopes and the frames of note-on and note-off.
    public static func constant(_ value: Float = 0.5, sampleRate: UInt32 = 48_000) -> Sample {
      Sample(
        name: "Constant", frames: Signal.constant(value, frames: 1_024), sampleRate: sampleRate,
        loop: 256..<768)
    }
  }
}
