// A delay that feeds back through a low-pass: what comb filters and echoes have in common.

/// What goes into the line is the input and, times the feedback, what comes out of the line behind
/// a one-pole low-pass L(z) = (1 − p) / (1 − p z⁻¹).
///
/// What is fed back and below −160 dB of full scale is silence, so that it ends. The memory is that
/// of the longest delay, allocated once.
struct DelayLoop: ~Copyable {
  /// A frame, or the places of frames that follow each other.
  struct Frame<Value> {
    /// What the line gives.
    var delayed: Value
    /// The same behind the low-pass.
    var low: Value
    /// What goes into the line.
    var held: Value
  }

  var delay: DelayTime
  /// In per cent.
  var feedback: LinearRamp
  /// p of the low-pass, 0 for none.
  var pole: Float
  private var line: DelayLine
  /// Beyond it, what goes into the line is held: a feedback of 100 % would grow for ever.
  private let limit: Float
  /// What the low-pass holds. Zeroed below 1e-25, where it can change no value above −160 dB: so
  /// neither denormals nor the division into calls can be noticed.
  private var state: Float = 0
  /// For how many frames nothing but zeros went into the line.
  private var quietFrames: Int
  private let block: Frame<UnsafeMutablePointer<Float>>

  /// Frames that are made side by side while nothing moves.
  static var blockFrames: Int { @_noLocks @_noAllocation get { 64 } }
  /// Frames side by side from which on a block takes less than one frame after the other, as
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

  /// The time in which the sound falls by 100 dB once the input has ended, in seconds; infinity
  /// where it does not.
  ///
  /// It counts whole echoes, and what the low-pass holds back at the lowest frequencies.
  static func tailSeconds(
    milliseconds: Double, feedback: Double, pole: Float, sampleRate: Double
  ) -> Double {
    let gain = abs(feedback) / 100
    if gain >= 1 { return .infinity }
    let fall = Vouched.naturalLogarithm(1e-5)
    let echoes = gain == 0 ? 0 : max(1, (fall / Vouched.naturalLogarithm(gain)).rounded(.up))
    let pole = Double(pole)
    return milliseconds / 1000 * (echoes + 1)
      - fall * pole / ((1 - pole) * (1 - gain) * sampleRate)
  }

  /// Whether the delay or the feedback moves.
  var isMoving: Bool {
    @_noLocks @_noAllocation get { delay.isMoving || feedback.isRamping }
  }

  /// Whether it holds no sound: silence in gives silence out.
  var isAtRest: Bool { @_noLocks @_noAllocation get { quietFrames >= line.memoryFrames } }

  /// Lets the delay and the feedback go on for frames that are not processed.
  @_noLocks @_noAllocation
  mutating func skip(_ frames: UInt32) {
    delay.skip(frames)
    feedback.advance(by: frames)
  }

  /// - Complexity: O(1)
  @_noLocks @_noAllocation
  mutating func reset() {
    line.reset()
    state = 0
    quietFrames = line.memoryFrames
  }

  /// A frame while something moves.
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

  /// How many frames the next block may have, of `frameCount`: what it reads was written before it,
  /// unless it is read frame by frame.
  @_noLocks @_noAllocation
  func blockLength(_ point: DelayPoint, frameCount: Int) -> Int {
    min(frameCount, isNarrow(point) ? Self.blockFrames : min(Self.blockFrames, point.newest))
  }

  /// Whether too few frames can be made side by side for that to pay.
  @_noLocks @_noAllocation @inline(__always)
  private func isNarrow(_ point: DelayPoint) -> Bool {
    point.isLong && point.newest < Self.worthyFrames
  }

  /// Frames while nothing moves, in memory that stays until the next call.
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

  /// Frames side by side: as many as `blockLength` says.
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

  /// Frames one after the other, at a long point, with the weights that all of them have.
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
    // NaN goes through, so that it is found.
    let bounded = value > limit ? limit : value < -limit ? -limit : value
    return bounded < 1e-8 && bounded > -1e-8 ? 0 : bounded
  }

  /// Counts the zeros at the end of what was written.
  @_noLocks @_noAllocation
  private mutating func countQuiet(_ held: UnsafePointer<Float>, _ count: Int) {
    var zeros = 0
    while zeros < count && held[count &- 1 &- zeros] == 0 { zeros &+= 1 }
    // What the low-pass still holds when nothing is written goes into what comes.
    quietFrames =
      EffectSample.flushed(state) != 0
      ? 0 : zeros == count ? min(quietFrames &+ count, line.memoryFrames) : zeros
  }
}
