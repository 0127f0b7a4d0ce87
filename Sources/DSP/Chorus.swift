// A chorus: its memory and its controls.

import Realtime

/// Copies of a sound with delays that move up and down: one channel in, two out, without the dry
/// signal.
///
/// Voice i of N is delayed by 1 ms + depth/2 · (1 + w(speed · t + i/N)), w being the wave, −1 to 1.
/// The voices alternate between left and right; the last of an odd number goes to both sides. Each
/// has a gain of 2 · level on its side, and is thus as loud as FluidSynth's with the same settings.
///
/// Changes of number, depth and wave crossfade within 20 ms. The speed changes at once, since the
/// voices keep their positions. The output is a pure function of input, settings and frame:
/// bit-identical however a stretch of frames is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Chorus: ~Copyable {
  /// The settings. Ranges and defaults are those of FluidSynth 2.3.
  public struct Settings: Sendable, BitwiseCopyable {
    /// Number of voices, 0 to 99.
    public var voices = 3
    /// The linear level of the voices, 0 to 10.
    public var level = 2.0
    /// The speed in hertz, 0.1 to 5.
    public var speedHertz = 0.3
    /// The range from the shortest delay to the longest, in milliseconds, 0 to 256.
    public var depthMilliseconds = 8.0
    /// Whether the delays move as a triangle wave; else as a sine.
    public var isTriangle = false

    @_noLocks @_noAllocation
    public init() {}
  }

  /// The settings that a crossfade changes.
  struct Shape: BitwiseCopyable {
    var voices: Int
    /// Half the depth, in frames.
    var swing: Float
    var isTriangle: Bool
  }

  public static var maximumVoices: Int { @_noLocks @_noAllocation get { 99 } }
  static var maximumDepthMilliseconds: Double { @_noLocks @_noAllocation get { 256 } }
  static var leastDelayMilliseconds: Double { @_noLocks @_noAllocation get { 1 } }

  /// Frames per second.
  public let sampleRate: Double
  /// Whether the chorus holds no sound: silent input then gives silence, and takes no time.
  public var isSilent: Bool { @_noLocks @_noAllocation get { quietFrames >= memoryFrames } }

  var settings: Settings
  var level: LinearRamp
  /// The phase of the first voice, in turns.
  var phase = 0.0
  var phaseStep = 0.0
  var sounding: Shape
  var next: Shape
  /// Remaining frames of the crossfade to `next`; 0 if none is running.
  var remainingFrames: UInt32 = 0

  /// A ring of `mask` + 1 frames.
  let memory: UnsafeMutablePointer<Float>
  let mask: Int
  let memoryFrames: Int
  let leastDelay: Float
  var cursor = 0
  /// Frames for which the input has been zero.
  var quietFrames: Int

  /// Creates a silent chorus, and allocates all its memory: 0.13 MB at 96 kHz.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, 8000 to 384,000.
  ///   - settings: the initial settings.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition((8_000...384_000).contains(sampleRate))
    self.sampleRate = sampleRate
    self.settings = settings
    level = LinearRamp(value: 0, sampleRate: sampleRate)
    sounding = Shape(voices: 0, swing: 0, isTriangle: false)
    next = sounding
    leastDelay = Float(Self.leastDelayMilliseconds / 1000 * sampleRate)
    let longest = Self.leastDelayMilliseconds + Self.maximumDepthMilliseconds
    memoryFrames = Int(longest / 1000 * sampleRate) + 4
    quietFrames = memoryFrames
    let capacity = EffectSample.powerOfTwo(atLeast: memoryFrames)
    mask = capacity - 1
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
    set(immediately: settings)
  }

  deinit { memory.deallocate() }

  /// Returns the longest delay in seconds; after it, silent input gives silence.
  /// - Thread: [any]
  @_noLocks @_noAllocation
  public static func tailSeconds(depthMilliseconds: Double) -> Double {
    (leastDelayMilliseconds + held(depthMilliseconds, 0, maximumDepthMilliseconds)) / 1000
  }

  /// Sets the number of voices, 0 to 99.
  @_noLocks @_noAllocation
  public mutating func setVoices(_ count: Int) {
    settings.voices = min(max(count, 0), Self.maximumVoices)
  }

  /// Sets the speed of the voices' movement in hertz, 0.1 to 5.
  @_noLocks @_noAllocation
  public mutating func setSpeed(hertz: Double) {
    settings.speedHertz = Self.held(hertz, 0.1, 5)
    phaseStep = settings.speedHertz / sampleRate
  }

  /// Sets the depth in milliseconds, 0 to 256.
  @_noLocks @_noAllocation
  public mutating func setDepth(milliseconds: Double) {
    settings.depthMilliseconds = Self.held(milliseconds, 0, Self.maximumDepthMilliseconds)
  }

  /// Sets the wave of the delays: a triangle if true, else a sine.
  @_noLocks @_noAllocation
  public mutating func setTriangle(_ isTriangle: Bool) { settings.isTriangle = isTriangle }

  /// Starts a ramp of the level, 0 to 10; see `LinearRamp.start(to:overFrames:)`.
  @_noLocks @_noAllocation
  public mutating func rampLevel(to value: Double, overFrames frames: UInt32) {
    level.start(to: Self.held(value, 0, 10), overFrames: frames)
  }

  /// Applies settings at once, without a ramp or crossfade. Delayed sound continues.
  @_noLocks @_noAllocation
  public mutating func set(immediately settings: Settings) {
    setVoices(settings.voices)
    setSpeed(hertz: settings.speedHertz)
    setDepth(milliseconds: settings.depthMilliseconds)
    setTriangle(settings.isTriangle)
    level.set(immediately: Self.held(settings.level, 0, 10))
    sounding = wantedShape()
    remainingFrames = 0
  }

  /// Returns the current level, for publishing; see `LinearRamp.takeReading()`.
  @_noLocks @_noAllocation
  public mutating func takeLevelReading() -> Double? { level.takeReading() }

  /// Advances the settings over frames of silence, while the chorus is silent.
  @_noLocks @_noAllocation
  public mutating func skip(_ frameCount: Int) {
    if level.isRamping { level.advance(by: UInt32(clamping: frameCount)) }
    var frames = UInt32(clamping: frameCount)
    while frames > 0 {
      if remainingFrames == 0 { follow(wantedShape()) }
      if remainingFrames == 0 { return }
      let count = min(frames, remainingFrames)
      remainingFrames &-= count
      frames &-= count
      if remainingFrames == 0 { sounding = next }
    }
  }

  /// Clears the audio state and the phase. The settings jump to the end of their ramps.
  /// - Complexity: O(memory)
  @_noLocks @_noAllocation
  public mutating func reset() {
    phase = 0
    skip(Int(UInt32.max))
    if isSilent { return }
    var index = 0
    while index <= mask {
      memory[index] = 0
      index &+= 1
    }
    quietFrames = memoryFrames
  }

  @_noLocks @_noAllocation
  func wantedShape() -> Shape {
    Shape(
      voices: settings.voices,
      swing: Float(settings.depthMilliseconds / 2000 * sampleRate),
      isTriangle: settings.isTriangle)
  }

  @_noLocks @_noAllocation
  private static func held(_ value: Double, _ low: Double, _ high: Double) -> Double {
    value > low ? (value < high ? value : high) : low
  }
}
