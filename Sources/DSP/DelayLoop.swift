// A delay with feedback through a low-pass, shared by comb filters and echoes.

import Realtime

/// The line's input is the sum of the loop's input and, times the feedback, the line's output after
/// a one-pole low-pass L(z) = (1 − p) / (1 − p z⁻¹).
///
/// Feedback below −160 dB of full scale counts as silence, so that the tail ends. The memory is
/// that of the longest delay, allocated once.
struct DelayLoop: ~Copyable {
  /// A frame, or pointers to consecutive frames.
  struct Frame<Value> {
    /// The line's output.
    var delayed: Value
    /// The line's output after the low-pass.
    var low: Value
    /// The line's input.
    var held: Value
  }

  var delay: DelayTime
  /// The feedback in per cent.
  var feedback: LinearRamp
  /// p of the low-pass; 0 for none.
  var pole: Float
  private var line: DelayLine
  /// The limit of the line's input, as a feedback of 100 % would grow for ever.
  private let limit: Float
  /// The low-pass's state. It is zeroed below 1e-25, where it cannot change any value above −160
  /// dB. This avoids denormals, and does not depend on the division into calls.
  private var state: Float = 0
  /// Frames for which the line's input has been zero.
  private var quietFrames: Int
  private let block: Frame<UnsafeMutablePointer<Float>>

  /// The most frames of a block, rendered together while nothing ramps.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
  /// The least block length at which rendering frames together is faster than one by one, as
  /// measured on an EPYC.
  private static var worthyFrames: Int { @_noLocks @_noAllocation get { 5 } }

  init(
    milliseconds: Double, maximumMilliseconds: Double, feedback: Double, pole: Float,
    limit: Float, sampleRate: Double
  ) {
    line = DelayLine(maximumFrames: Int((maximumMilliseconds / 1000 * sampleRate).rounded(.up)))
    delay = DelayTime(
      milliseconds: milliseconds, sampleRate: sampleRate, maximumFrames: line.maximumFrames)
    self.feedback = LinearRamp(value: feedback, sampleRate: sampleRate)
    self.pole = pole
    self.limit = limit
    quietFrames = line.memoryFrames
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 3 * Self.blockFrames)
    memory.initialize(repeating: 0, count: 3 * Self.blockFrames)
    block = Frame(
      delayed: memory, low: memory + Self.blockFrames, held: memory + 2 * Self.blockFrames)
  }

  deinit { block.delayed.deallocate() }

  /// Returns the time in which the sound decays by 100 dB once the input has ended, in seconds;
  /// infinity if it does not.
  ///
  /// The time counts whole echoes, and the low-pass's decay at the lowest frequencies.
  static func tailSeconds(
    milliseconds: Double, feedback: Double, pole: Float, sampleRate: Double
  ) -> Double {
    let gain = abs(feedback) / 100
    if gain >= 1 { return .infinity }
    let fall = RealtimeMath.naturalLogarithm(1e-5)
    let echoes = gain == 0 ? 0 : max(1, (fall / RealtimeMath.naturalLogarithm(gain)).rounded(.up))
    let pole = Double(pole)
    return milliseconds / 1000 * (echoes + 1)
      - fall * pole / ((1 - pole) * (1 - gain) * sampleRate)
  }

  /// Whether the delay or the feedback is changing.
  var isMoving: Bool {
    @_noLocks @_noAllocation get { delay.isMoving || feedback.isRamping }
  }

  /// Whether the loop holds no sound: silent input then gives silence.
  var isAtRest: Bool { @_noLocks @_noAllocation get { quietFrames >= line.memoryFrames } }

  /// Advances the delay and the feedback over frames that are not processed.
  @_noLocks @_noAllocation
  mutating func skip(_ frames: UInt32) {
    delay.skip(frames)
    feedback.advance(by: frames)
  }

  /// Clears the audio state.
  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  mutating func reset() {
    line.reset()
    state = 0
    quietFrames = line.memoryFrames
  }

  /// Renders a frame while the delay or the feedback is changing.
  @_noLocks @_noAllocation @inline(__always)
  mutating func next(_ sample: Float) -> Frame<Float> {
    let delayed = delay.next(of: line)
    feedback.advance(by: 1)
    state = delayed * (1 - pole) + state * pole
    let low = EffectSample.flushed(state)
    if abs(state) < 1e-25 { state = 0 }
    let held = limited(sample + low * Float(feedback.value / 100))
    line.write(held)
    quietFrames = held == 0 && low == 0 ? min(quietFrames &+ 1, line.memoryFrames) : 0
    return Frame(delayed: delayed, low: low, held: held)
  }

  /// Returns the length of the next block, at most `frameCount`. A block reads only frames written
  /// before it, unless it is rendered frame by frame.
  @_noLocks @_noAllocation
  func blockLength(_ point: DelayPoint, frameCount: Int) -> Int {
    min(frameCount, isNarrow(point) ? Self.blockFrames : min(Self.blockFrames, point.newest))
  }

  /// Whether too few frames can be rendered together to be faster.
  @_noLocks @_noAllocation @inline(__always)
  private func isNarrow(_ point: DelayPoint) -> Bool {
    point.isLong && point.newest < Self.worthyFrames
  }

  /// Renders frames while nothing is changing, in memory that is valid until the next call.
  @_noLocks @_noAllocation
  mutating func next(
    _ input: UnsafePointer<Float>, _ point: DelayPoint, count: Int
  ) -> Frame<UnsafePointer<Float>> {
    let (delayed, lows, held) = (block.delayed, block.low, block.held)
    if isNarrow(point) {
      makeSingly(input, point, count: count)
    } else {
      makeTogether(input, point, count: count)
    }
    countQuiet(held, count)
    return Frame(
      delayed: UnsafePointer(delayed), low: UnsafePointer(lows), held: UnsafePointer(held))
  }

  /// Renders frames together, at most `blockLength` of them.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func makeTogether(
    _ input: UnsafePointer<Float>, _ point: DelayPoint, count: Int
  ) {
    let (delayed, lows, held) = (block.delayed, block.low, block.held)
    let gain = Float(feedback.value / 100)
    line.read(point, to: delayed, count: count)
    var frame = 0
    if pole == 0 {
      while frame < count {
        lows[frame] = EffectSample.flushed(delayed[frame])
        held[frame] = limited(input[frame] + lows[frame] * gain)
        frame &+= 1
      }
      state = delayed[count &- 1]
    } else {
      var state = state
      let (pole, pass) = (pole, 1 - pole)
      while frame < count {
        state = delayed[frame] * pass + state * pole
        lows[frame] = EffectSample.flushed(state)
        held[frame] = limited(input[frame] + lows[frame] * gain)
        frame &+= 1
      }
      self.state = state
    }
    if abs(state) < 1e-25 { state = 0 }
    line.write(held, count: count)
  }

  /// Renders frames one by one at a long point, all with the same weights.
  @_noLocks @_noAllocation
  private mutating func makeSingly(
    _ input: UnsafePointer<Float>, _ point: DelayPoint, count: Int
  ) {
    let (gain, pole, pass) = (Float(feedback.value / 100), pole, 1 - pole)
    var state = state
    line.prepare(point)
    var frame = 0
    while frame < count {
      let delayed = line.longValue(point)
      state = delayed * pass + state * pole
      let low = EffectSample.flushed(state)
      let held = limited(input[frame] + low * gain)
      line.write(held)
      block.delayed[frame] = delayed
      block.low[frame] = low
      block.held[frame] = held
      frame &+= 1
    }
    self.state = abs(state) < 1e-25 ? 0 : state
  }

  @_noLocks @_noAllocation @inline(__always)
  private func limited(_ value: Float) -> Float {
    // NaN passes, so that it is detected.
    let bounded = value > limit ? limit : value < -limit ? -limit : value
    return bounded < 1e-8 && bounded > -1e-8 ? 0 : bounded
  }

  /// Counts the zeros at the end of the written frames.
  @_noLocks @_noAllocation
  private mutating func countQuiet(_ held: UnsafePointer<Float>, _ count: Int) {
    var zeros = 0
    while zeros < count && held[count &- 1 &- zeros] == 0 { zeros &+= 1 }
    // A remaining state of the low-pass still feeds into later frames.
    quietFrames =
      EffectSample.flushed(state) != 0
      ? 0 : zeros == count ? min(quietFrames &+ count, line.memoryFrames) : zeros
  }
}
