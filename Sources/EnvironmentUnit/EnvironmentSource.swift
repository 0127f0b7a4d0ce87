// One input of the environment on the render side.

import DSP

/// The position, levels and motion of a source.
///
/// During a ramp, coefficients are computed every 32 frames and interpolated linearly. A set value
/// is reached within 20 ms from the sounding one. A change of the algorithm crossfades within 20
/// ms; a further one waits until that ends. All this depends on the frame and the listener only.
struct EnvironmentSource {
  var controls: SourceControls
  /// The change since the last frame: 1 if a ramp began, 2 if a value was set, else 0.
  var change = 0
  /// Channels of the input; 0 if it has none or too many.
  private(set) var channelCount = 0
  /// Whether its head responses may follow its position now; see `EnvironmentKernel.turnsAtOnce`.
  var mayTurn = false
  private(set) var clock: SpatialClock
  /// The levels and low-passes of `SourceControls.level`.
  private(set) var level = SpatialGlide(SIMD4(0, 1, 0, 1))
  /// Coefficient glides of the current algorithm (`first`) and of the one fading in (`second`).
  private(set) var first = SpatialGlide(SIMD4(0, 0, 0, 0))
  private(set) var second = SpatialGlide(SIMD4(0, 0, 0, 0))
  private(set) var sounding = 0
  private(set) var coming = 0
  /// Remaining frames of the crossfade.
  private(set) var fading = 0
  let fadeFrames: Int
  /// The position at the segment's end.
  private(set) var position = RelativePosition(
    of: SpatialVector(x: 0, y: 0, z: 0), from: SpatialVector(x: 0, y: 0, z: 0),
    axes: ListenerAxes(yaw: 0, pitch: 0, roll: 0))
  /// Whether a segment was cut short, so that the coefficients differ from the set values.
  private var isBroken = false
  private let sampleRate: Double

  // States of the low-passes: left (or the only channel), right, and the reverb send.
  var directState = 0.0
  var rightState = 0.0
  var sendState = 0.0
  /// Frames for which the input has been silent.
  var quietFrames = 0

  /// - Thread: [control]
  init(_ controls: SourceControls, sampleRate: Double) {
    self.controls = controls
    self.sampleRate = sampleRate
    fadeFrames = Int(controls.x.deZipperFrames)
    clock = SpatialClock(settlingFrames: fadeFrames)
  }

  /// Whether anything but the input signal changes with the next frame.
  @_noLocks @_noAllocation
  func isMoving(_ listener: EnvironmentListener) -> Bool {
    !clock.isResting || fading > 0 || isBroken || controls.isRamping
      || listener.remainingFrames > 0 || wanted(listener) != sounding
  }

  @_noLocks @_noAllocation
  func uses(_ algorithm: Int) -> Bool {
    sounding == algorithm || fading > 0 && coming == algorithm
  }

  /// Whether the low-passes hold no sound.
  var isAtRest: Bool {
    @_noLocks @_noAllocation get { directState == 0 && rightState == 0 && sendState == 0 }
  }

  @_noLocks @_noAllocation
  private func wanted(_ listener: EnvironmentListener) -> Int {
    channelCount == 2 || listener.isBypassed
      ? SourceAlgorithm.stereoPassThrough : controls.algorithm
  }

  @_noLocks @_noAllocation
  private func numbers(_ algorithm: Int, _ lattice: HeadLattice) -> SIMD4<Double> {
    switch algorithm {
    case 0:
      let gains = SpatialPanning.equalPower(position.direction)
      return SIMD4(gains.left, gains.right, 0, 0)
    case 1: return SphericalHead.place(position.direction, sampleRate: sampleRate)
    case 2: return lattice.place(position.direction)
    case 3:
      let gains = SpatialPanning.soundField(position.direction)
      return SIMD4(gains.left, gains.right, 0, 0)
    default: return SIMD4(0.707_106_781_186_547_5, 0.707_106_781_186_547_5, 0, 0)
    }
  }

  @_noLocks @_noAllocation
  private func madeLevel(_ moment: EnvironmentMoment, _ controls: SourceControls, _ wanted: Int)
    -> SIMD4<Double>
  {
    controls.level(
      at: position, moment, passes: wanted == SourceAlgorithm.stereoPassThrough,
      sampleRate: sampleRate)
  }

  /// Starts at once at the current position, with a new channel count. The caller clears the
  /// algorithm's state.
  @_noLocks @_noAllocation
  mutating func arrive(_ channels: Int, _ listener: EnvironmentListener, _ lattice: HeadLattice) {
    channelCount = channels
    change = 0
    mayTurn = false
    clock.stop()
    isBroken = false
    fading = 0
    (directState, rightState, sendState) = (0, 0, 0)
    sounding = wanted(listener)
    position = controls.relativePosition(listener.now)
    level = SpatialGlide(madeLevel(listener.now, controls, sounding))
    first = SpatialGlide(numbers(sounding, lattice))
    quietFrames = 1 << 32
  }

  /// Advances the controls over frames without input.
  @_noLocks @_noAllocation
  mutating func leave(_ frameCount: Int) {
    channelCount = 0
    change = 0
    mayTurn = false
    controls.advance(by: frameCount)
  }

  /// Applies a change of the source or the listener.
  @_noLocks @_noAllocation
  mutating func update(for listener: EnvironmentListener, _ lattice: HeadLattice) {
    if change == 2 {
      position = controls.relativePosition(listener.now)
      level.settle(to: madeLevel(listener.now, controls, wanted(listener)), clock)
      first.settle(to: numbers(sounding, lattice), clock)
      if fading > 0 { second.settle(to: numbers(coming, lattice), clock) }
      clock.breakOff()
      clock.settle()
      isBroken = false
    } else {
      level.breakOff(clock)
      first.breakOff(clock)
      if fading > 0 { second.breakOff(clock) }
      clock.breakOff()
      isBroken = true
    }
    change = 0
  }

  /// Starts the segment or crossfade due on the next frame.
  ///
  /// - Parameter offset: frames taken since the listener's last one.
  /// - Returns: the algorithm that starts, whose state the caller clears; −1 for none.
  @_noLocks @_noAllocation
  mutating func begin(
    after offset: Int, _ listener: EnvironmentListener, _ lattice: HeadLattice
  ) -> Int {
    let wanted = wanted(listener)
    if clock.length == 0
      && (isBroken || controls.isRamping || listener.remainingFrames > offset)
    {
      beginSegment(after: offset, listener, lattice, wanted)
    }
    if fading > 0 || wanted == sounding { return -1 }
    coming = wanted
    fading = fadeFrames
    second = SpatialGlide(numbers(coming, lattice))
    return coming
  }

  @_noLocks @_noAllocation
  private mutating func beginSegment(
    after offset: Int, _ listener: EnvironmentListener, _ lattice: HeadLattice, _ wanted: Int
  ) {
    let length = min(controls.segmentFrames(), listener.segmentFrames(after: offset))
    var end = controls
    end.advance(by: length)
    let moment = listener.moment(after: offset &+ length)
    position = end.relativePosition(moment)
    level.beginSegment(to: madeLevel(moment, end, wanted))
    first.beginSegment(to: numbers(sounding, lattice))
    if fading > 0 { second.beginSegment(to: numbers(coming, lattice)) }
    clock.beginSegment(length)
    isBroken = false
  }

  /// Returns the number of frames, up to `count`, before a segment or a crossfade ends.
  @_noLocks @_noAllocation
  func frames(upTo count: Int) -> Int {
    let frames = clock.frames(upTo: count)
    return fading > 0 ? min(frames, fading) : frames
  }

  /// Advances by frames, at most `frames(upTo:)`.
  @_noLocks @_noAllocation
  mutating func advance(by frames: Int) {
    controls.advance(by: frames)
    if clock.advance(by: frames) {
      level.endSegment()
      first.endSegment()
      if fading > 0 { second.endSegment() }
    }
    if fading == 0 { return }
    fading &-= frames
    if fading == 0 {
      sounding = coming
      first = second
    }
  }
}
