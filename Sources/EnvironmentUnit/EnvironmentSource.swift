// One input of the environment on the render side.

import DSP

/// How a source stands and moves.
///
/// Along a ramp its numbers are made every 32 frames and go straight between; what is set is
/// reached within 20 ms from what sounds. Another algorithm crosses over within 20 ms; one that
/// comes meanwhile waits. All this is a function of the frame, and of nothing else that the
/// environment has than the listener.
struct EnvironmentSource {
  var controls: SourceControls
  /// What was done to it since the last frame: 1, something began to ramp; 2, something was set.
  var change = 0
  /// 0 where there is no sound, or one that is not taken.
  private(set) var channelCount = 0
  /// Whether its head responses may follow its place now: see `EnvironmentKernel.turnsAtOnce`.
  var mayTurn = false
  private(set) var clock: SpatialClock
  /// See `SourceControls.level`.
  private(set) var level = SpatialGlide(SIMD4(0, 1, 0, 1))
  /// What the algorithm that sounds needs, and the one that comes.
  private(set) var first = SpatialGlide(SIMD4(0, 0, 0, 0))
  private(set) var second = SpatialGlide(SIMD4(0, 0, 0, 0))
  private(set) var sounding = 0
  private(set) var coming = 0
  /// Frames of the crossing that are to come.
  private(set) var fading = 0
  let fadeFrames: Int
  /// That of the segment's end.
  private(set) var place = RelativePosition(
    of: SpatialVector(x: 0, y: 0, z: 0), from: SpatialVector(x: 0, y: 0, z: 0),
    axes: ListenerAxes(yaw: 0, pitch: 0, roll: 0))
  /// Whether a segment was broken off, so that the numbers are not those of what is set.
  private var isBroken = false
  private let sampleRate: Double

  // What the low-passes hold: left (or the one channel), right, and what is sent.
  var directState = 0.0
  var rightState = 0.0
  var sendState = 0.0
  /// For how many frames the input has been silent.
  var quietFrames = 0

  /// - Thread: [control]
  init(_ controls: SourceControls, sampleRate: Double) {
    self.controls = controls
    self.sampleRate = sampleRate
    fadeFrames = Int(controls.x.deZipperFrames)
    clock = SpatialClock(settlingFrames: fadeFrames)
  }

  /// Whether anything but its sound changes with the next frame.
  @_noLocks @_noAllocation
  func isMoving(_ listener: EnvironmentListener) -> Bool {
    !clock.isResting || fading > 0 || isBroken || controls.isRamping
      || listener.remainingFrames > 0 || wanted(listener) != sounding
  }

  @_noLocks @_noAllocation
  func uses(_ algorithm: Int) -> Bool {
    sounding == algorithm || fading > 0 && coming == algorithm
  }

  /// Whether its low-passes hold no sound.
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
      let gains = SpatialPanning.equalPower(place.direction)
      return SIMD4(gains.left, gains.right, 0, 0)
    case 1: return SphericalHead.place(place.direction, sampleRate: sampleRate)
    case 2: return lattice.place(place.direction)
    case 3:
      let gains = SpatialPanning.soundField(place.direction)
      return SIMD4(gains.left, gains.right, 0, 0)
    default: return SIMD4(0.707_106_781_186_547_5, 0.707_106_781_186_547_5, 0, 0)
    }
  }

  @_noLocks @_noAllocation
  private func madeLevel(_ moment: EnvironmentMoment, _ controls: SourceControls, _ wanted: Int)
    -> SIMD4<Double>
  {
    controls.level(
      at: place, moment, passes: wanted == SourceAlgorithm.stereoPassThrough,
      sampleRate: sampleRate)
  }

  /// Begins at once where everything stands, with so many channels; its memory is to be emptied.
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
    place = controls.place(listener.now)
    level = SpatialGlide(madeLevel(listener.now, controls, sounding))
    first = SpatialGlide(numbers(sounding, lattice))
    quietFrames = 1 << 32
  }

  /// There is no sound.
  @_noLocks @_noAllocation
  mutating func leave(_ frameCount: Int) {
    channelCount = 0
    change = 0
    mayTurn = false
    controls.advance(by: frameCount)
  }

  /// Heeds what was done to it, or to the listener.
  @_noLocks @_noAllocation
  mutating func heed(_ listener: EnvironmentListener, _ lattice: HeadLattice) {
    if change == 2 {
      place = controls.place(listener.now)
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

  /// Begins what is to begin with the next frame.
  ///
  /// - Parameter offset: frames that were taken since the listener's last.
  /// - Returns: the algorithm that begins, whose memory is to be emptied; −1 for none.
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
    place = end.place(moment)
    level.beginSegment(to: madeLevel(moment, end, wanted))
    first.beginSegment(to: numbers(sounding, lattice))
    if fading > 0 { second.beginSegment(to: numbers(coming, lattice)) }
    clock.beginSegment(length)
    isBroken = false
  }

  /// How many frames may be taken, up to `count`, before something begins or ends.
  @_noLocks @_noAllocation
  func frames(upTo count: Int) -> Int {
    let frames = clock.frames(upTo: count)
    return fading > 0 ? min(frames, fading) : frames
  }

  /// Takes frames, no more than `frames(upTo:)`.
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
