// The levels of a sound between its frames.

/// True peaks by ITU-R BS.1770-4, annex 2: the loudest of four values between two frames, by its
/// filter of 48 taps.
///
/// A peak is known `delayFrames` after its frame. The levels are a pure function of the sound,
/// bit-identical however it is divided into calls.
///
/// - Thread: [control] to create and destroy, [render] otherwise
public struct TruePeakLevels: ~Copyable {
  /// The most frames from a peak to its level.
  public static var delayFrames: Int { @_noLocks @_noAllocation get { 6 } }
  /// Frames of silence that still have levels of the sound before.
  public static var memoryFrames: Int { @_noLocks @_noAllocation get { 11 } }

  /// The taps of the four filters side by side, the oldest frame's first.
  private let taps: UnsafeMutablePointer<SIMD4<Float>>
  /// The last frames of each channel, and room for those of a call.
  private let memory: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let room: Int

  /// - Parameters:
  ///   - channelCount: number of channels; 0 takes no memory.
  ///   - maximumFrames: the most frames of a call.
  public init(channelCount: Int, maximumFrames: Int) {
    self.channelCount = channelCount
    room = Self.memoryFrames + maximumFrames
    memory = .allocate(capacity: max(1, channelCount * room))
    memory.initialize(repeating: 0, count: max(1, channelCount * room))
    let (outer, inner) = (Self.outer, Self.inner)
    taps = .allocate(capacity: outer.count)
    for tap in outer.indices {
      let mirrored = outer.count - 1 - tap
      (taps + tap).initialize(to: SIMD4(outer[mirrored], inner[mirrored], inner[tap], outer[tap]))
    }
  }

  deinit {
    memory.deallocate()
    taps.deallocate()
  }

  /// The first and the second filter of the standard; the others are their mirror images.
  private static let outer: [Float] = [
    0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125,
    -0.059_448_242_187_5, 0.137_329_101_562_5, 0.972_167_968_75, -0.102_294_921_875,
    0.047_607_421_875, -0.026_611_328_125, 0.014_892_578_125, -0.008_300_781_25,
  ]
  private static let inner: [Float] = [
    -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125,
    -0.166_503_906_25, 0.465_087_890_625, 0.779_785_156_25, -0.200_317_382_812_5,
    0.101_562_5, -0.058_227_539_062_5, 0.033_081_054_687_5, -0.018_920_898_437_5,
  ]

  /// Clears the audio state.
  @_noLocks @_noAllocation
  public mutating func reset() {
    var index = 0
    while index < channelCount &* room {
      memory[index] = 0
      index &+= 1
    }
  }

  /// Raises levels to those between the frames of a channel.
  ///
  /// - Parameters:
  ///   - samples: the channel's samples; NaN, and values beyond 120 dB, count as 120 dB.
  ///   - levels: a level for each frame.
  /// - Complexity: O(count)
  @_noLocks @_noAllocation
  public mutating func raise(
    _ levels: UnsafeMutablePointer<Float>, by samples: UnsafePointer<Float>, count: Int,
    channel: Int
  ) {
    if channel >= channelCount { return }
    let frames = memory + channel &* room
    let kept = Self.memoryFrames
    var frame = 0
    while frame < count {
      let sample = samples[frame]
      frames[kept &+ frame] = sample.magnitude < 1e6 ? sample : sample < 0 ? -1e6 : 1e6
      frame &+= 1
    }
    frame = 0
    while frame < count {
      var sum = SIMD4<Float>(repeating: 0)
      var tap = 0
      while tap <= kept {
        sum += taps[tap] * frames[frame &+ tap]
        tap &+= 1
      }
      let level = max(
        max(sum[0].magnitude, sum[1].magnitude), max(sum[2].magnitude, sum[3].magnitude))
      let held = level < 1e6 ? level : 1e6
      if held > levels[frame] { levels[frame] = held }
      frame &+= 1
    }
    frame = 0
    while frame < kept {
      frames[frame] = frames[count &+ frame]
      frame &+= 1
    }
  }
}
