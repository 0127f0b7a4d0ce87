// The filter's loops over frames: two channels at once, one in each lane.

extension ResonantLowPass {
  /// The two integrators of two channels; see `ResonantLowPassCoefficients`.
  struct PairState {
    /// The states `band`, or `drive` while the filter `isDriven`.
    var band: SIMD2<Double>
    var low: SIMD2<Double>

    @_noLocks @_noAllocation
    init() {
      band = SIMD2(repeating: 0)
      low = SIMD2(repeating: 0)
    }

    /// Renders a frame while cutoff or resonance ramp.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next(
      _ input: SIMD2<Double>, retain: SIMD2<Double>, feed: SIMD2<Double>, pass: SIMD2<Double>
    ) -> SIMD2<Double> {
      let error = input - low
      // The order of the sums keeps the longest chain from state to state at three operations.
      let nextLow = (low + feed * band) + pass * error
      let output = (low + nextLow) * 0.5
      band = retain * band + feed * error
      low = nextLow
      return output
    }

    /// Renders a frame while cutoff and resonance are constant.
    @_noLocks @_noAllocation @inline(__always)
    mutating func next(
      _ input: SIMD2<Double>, retain: SIMD2<Double>, square: SIMD2<Double>, pass: SIMD2<Double>,
      keep: SIMD2<Double>
    ) -> SIMD2<Double> {
      // The value that is ready last comes last in each sum.
      let nextLow = (pass * input + band) + keep * low
      let output = (low + nextLow) * 0.5
      band = (square * input - square * low) + retain * band
      low = nextLow
      return output
    }

    var isZero: Bool {
      @_noLocks @_noAllocation get { band.x == 0 && band.y == 0 && low.x == 0 && low.y == 0 }
    }

    /// Zeroes states that are too small to change any 32-bit output of the filter. This avoids
    /// denormals, and does not depend on the division into calls.
    @_noLocks @_noAllocation
    mutating func flushTiny() {
      let tiny = SIMD2(repeating: 1e-70)
      band.replace(with: 0, where: (band .< tiny) .& (band .> -tiny))
      low.replace(with: 0, where: (low .< tiny) .& (low .> -tiny))
    }
  }

  /// Filters `frameCount` frames of every channel and advances the ramps.
  ///
  /// - Parameters:
  ///   - inputs: `channelCount` pointers, one a channel.
  ///   - outputs: `channelCount` pointers, one a channel; a channel's input and output may be the
  ///     same memory, different channels' may not overlap.
  ///   - offset: the first frame within each of them.
  ///   - frameCount: frames to filter, at least 0.
  /// - Thread: [render]
  /// - Complexity: O(channels × frames)
  @_noLocks @_noAllocation
  public mutating func process(
    inputs: UnsafePointer<UnsafePointer<Float>>,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frameCount: Int
  ) {
    var first = offset
    let end = offset &+ frameCount
    while first < end {
      let limit = min(end &- first, Self.rampBlockFrames)
      var ramping = 0
      if isRamping { holdBands() } else { holdDrives() }
      while ramping < limit, isRamping {
        stepRamps()
        rampBlock[ramping] = coefficients
        ramping &+= 1
      }
      let count = ramping > 0 ? ramping : end &- first
      var pair = 0
      while pair < pairCount {
        let left = pair &* 2
        let right = min(left &+ 1, channelCount &- 1)
        let input = (inputs[left] + first, inputs[right] + first)
        let output = (outputs[left] + first, outputs[right] + first)
        if ramping > 0 {
          Self.processRamp(&states[pair], rampBlock, input, output, count)
        } else {
          Self.processConstant(&states[pair], coefficients, input, output, count)
        }
        states[pair].flushTiny()
        pair &+= 1
      }
      first &+= count
    }
  }

  @_noLocks @_noAllocation
  private static func processConstant(
    _ stored: inout PairState, _ coefficients: ResonantLowPassCoefficients,
    _ input: (UnsafePointer<Float>, UnsafePointer<Float>),
    _ output: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), _ count: Int
  ) {
    var state = stored
    let retain = SIMD2(repeating: coefficients.retain)
    let square = SIMD2(repeating: coefficients.feed * coefficients.feed)
    let pass = SIMD2(repeating: coefficients.pass)
    let keep = SIMD2(repeating: 1 - coefficients.pass)
    var frame = 0
    while frame < count {
      let sample = SIMD2<Double>(SIMD2<Float>(input.0[frame], input.1[frame]))
      let result =
        SIMD2<Float>(
          state.next(sample, retain: retain, square: square, pass: pass, keep: keep)) + 0
      output.0[frame] = result.x
      output.1[frame] = result.y
      frame &+= 1
    }
    stored = state
  }

  @_noLocks @_noAllocation
  private static func processRamp(
    _ stored: inout PairState, _ coefficients: UnsafePointer<ResonantLowPassCoefficients>,
    _ input: (UnsafePointer<Float>, UnsafePointer<Float>),
    _ output: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), _ count: Int
  ) {
    var state = stored
    var frame = 0
    while frame < count {
      let sample = SIMD2<Double>(SIMD2<Float>(input.0[frame], input.1[frame]))
      let result =
        SIMD2<Float>(
          state.next(
            sample, retain: SIMD2(repeating: coefficients[frame].retain),
            feed: SIMD2(repeating: coefficients[frame].feed),
            pass: SIMD2(repeating: coefficients[frame].pass))) + 0
      output.0[frame] = result.x
      output.1[frame] = result.y
      frame &+= 1
    }
    stored = state
  }

  /// Stores `drive` of every channel, for frames without a ramp.
  @_noLocks @_noAllocation
  private mutating func holdDrives() {
    if isDriven { return }
    isDriven = true
    var pair = 0
    while pair < pairCount {
      states[pair].band *= SIMD2(repeating: coefficients.feed)
      pair &+= 1
    }
  }

  /// Stores `band` of every channel, which does not depend on the coefficients.
  @_noLocks @_noAllocation
  mutating func holdBands() {
    if !isDriven { return }
    isDriven = false
    // A filter with a cutoff of 0 has lost them.
    if coefficients.feed == 0 { return }
    var pair = 0
    while pair < pairCount {
      states[pair].band /= SIMD2(repeating: coefficients.feed)
      pair &+= 1
    }
  }
}
