// A reverb: its memory and its controls.

import Realtime

/// A room of eight delay lines that feed each other: one channel in, two out, without the dry
/// signal.
///
/// The room is a feedback delay network. Each line's output passes a gain and a one-pole low-pass
/// that give it the room's decay. A Hadamard matrix, which preserves energy, mixes the outputs and
/// returns them to the lines. Three all-passes spread the input, and the lines' lengths move
/// slowly, so that no resonance persists. As every gain is below 1, the network is stable for all
/// settings, also while they change.
///
/// The output is a pure function of input, settings and frame: bit-identical however a stretch of
/// frames is divided into calls. Values below −160 dB of full scale count as silence, so that the
/// tail ends; silence then costs next to nothing.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct Reverb: ~Copyable {
  /// The settings. Ranges and defaults are those of FluidSynth 2.3.
  public struct Settings: Sendable, BitwiseCopyable {
    /// The room, 0 to 1, for a decay of 0.7 to 12.5 seconds.
    public var roomSize = 0.2
    /// The decay itself, 0.1 to 30, instead of the room's; nil for the room's.
    public var decaySeconds: Double?
    /// The shortening of the decay at high frequencies: from 0, none, to 1.
    public var damping = 0.0
    /// The width: 0 is mono, 1 the lines unchanged, 100 the sides only. The power is constant.
    public var width = 0.5
    /// The level, a linear gain from 0 to 1.
    public var level = 0.9

    @_noLocks @_noAllocation
    public init() {}
  }

  static var lineCount: Int { @_noLocks @_noAllocation get { 8 } }
  static var diffuserCount: Int { @_noLocks @_noAllocation get { 3 } }

  /// Frames per second.
  public let sampleRate: Double
  /// Whether the reverb has rung out: silent input then gives silence, and takes no time.
  public internal(set) var isSilent: Bool {
    @_noLocks @_noAllocation get { quietFrames >= memoryFrames }
    @_noLocks @_noAllocation set { quietFrames = newValue ? memoryFrames : 0 }
  }

  var settings: Settings
  var level: LinearRamp
  var width: LinearRamp
  var midGain: Float = 0
  var sideGain: Float = 0

  /// Rings of `mask` + 1 frames, `ringDistance` frames apart: the lines, then the diffusers.
  let memory: UnsafeMutablePointer<Float>
  let mask: Int
  let ringDistance: Int
  /// The length of each line and diffuser in frames.
  let lengths: UnsafeMutablePointer<Int>
  /// The state of each line's low-pass.
  let states: UnsafeMutablePointer<Float>
  /// The gains of all lines, then the poles of their low-passes: the current ones, and those at the
  /// start and the end of a transition.
  let coefficients: UnsafeMutablePointer<Float>
  let origins: UnsafeMutablePointer<Float>
  let targets: UnsafeMutablePointer<Float>
  /// Remaining frames of the transition of coefficients.
  var remainingFrames: UInt32 = 0
  var cursor = 0
  /// Frames for which only zeros were written.
  var quietFrames: Int
  /// Frames of zeros after which the memory holds nothing else.
  let memoryFrames: Int

  /// The slow motion of the lines: a rotating point, its step per frame, and its reach in frames.
  var cosine = 1.0
  var sine = 0.0
  let stepCosine: Double
  let stepSine: Double
  let reach: Float

  /// Creates a silent reverb, and allocates all its memory, about 0.3 MB at 96 kHz.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second, 8000 to 384,000.
  ///   - settings: the initial settings.
  public init(sampleRate: Double, settings: Settings = Settings()) {
    precondition((8_000...384_000).contains(sampleRate))
    self.sampleRate = sampleRate
    self.settings = Settings()
    level = LinearRamp(value: 0, sampleRate: sampleRate)
    width = LinearRamp(value: 0, sampleRate: sampleRate)
    let seconds = [
      0.0231, 0.0277, 0.0313, 0.0361, 0.0407, 0.0449, 0.0499, 0.0533, 0.0047, 0.0067, 0.0103,
    ]
    lengths = .allocate(capacity: seconds.count)
    for (index, length) in seconds.enumerated() {
      (lengths + index).initialize(to: Self.prime(atLeast: Int(length * sampleRate)))
    }
    reach = Float(0.0002 * sampleRate)
    memoryFrames = lengths[Self.lineCount - 1] + Int(2 * reach) + 4
    quietFrames = memoryFrames
    let capacity = EffectSample.powerOfTwo(atLeast: memoryFrames)
    mask = capacity - 1
    // Lines at distances of powers of two would share the same lines of the processor's cache.
    ringDistance = capacity + 80
    memory = .allocate(capacity: ringDistance * seconds.count)
    memory.initialize(repeating: 0, count: ringDistance * seconds.count)
    states = .allocate(capacity: Self.lineCount)
    states.initialize(repeating: 0, count: Self.lineCount)
    coefficients = .allocate(capacity: 2 * Self.lineCount)
    origins = .allocate(capacity: 2 * Self.lineCount)
    targets = .allocate(capacity: 2 * Self.lineCount)
    for values in [coefficients, origins, targets] {
      values.initialize(repeating: 0, count: 2 * Self.lineCount)
    }
    let half = RealtimeMath.tangent(.pi * 0.5 / sampleRate)
    stepCosine = (1 - half * half) / (1 + half * half)
    stepSine = 2 * half / (1 + half * half)
    set(immediately: settings)
  }

  deinit {
    memory.deallocate()
    lengths.deallocate()
    states.deallocate()
    coefficients.deallocate()
    origins.deallocate()
    targets.deallocate()
  }

  private static func prime(atLeast count: Int) -> Int {
    var candidate = max(count, 3) | 1
    while stride(from: 3, through: candidate / 3, by: 2).contains(where: { candidate % $0 == 0 }) {
      candidate += 2
    }
    return candidate
  }
}
