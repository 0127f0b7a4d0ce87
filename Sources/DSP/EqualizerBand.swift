// A band of an equalizer: what is set, and how its shape moves.

/// Moves from shape to shape in segments of up to 16 frames, at whose ends the shape is that of
/// what is set there; between them it goes straight. Segments begin with an event and end with a
/// ramp, so that shapes are a function of the frame, however frames are divided into calls.
struct EqualizerBand {
  var kind: EqualizerBandKind
  var frequency: LinearRamp
  var gain: LinearRamp
  var bandwidth: LinearRamp
  /// 1 is heard, 0 bypassed.
  var heard: LinearRamp
  /// From the shape of another kind to that of this one.
  private var crossing: LinearRamp
  private var former: MatchedBand
  /// The segment.
  private var origin: MatchedBand
  private var target: MatchedBand
  private var position = 0
  private var length = 0
  /// Whether a segment was broken off, so that the shape is not that of what is set.
  private var isBroken = false
  private let sampleRate: Double

  static var segmentFrames: Int { @_noLocks @_noAllocation get { 16 } }

  init(_ settings: Equalizer.Band, sampleRate: Double) {
    self.sampleRate = sampleRate
    kind = settings.kind
    frequency = LinearRamp(value: settings.frequencyHertz, sampleRate: sampleRate)
    gain = LinearRamp(value: settings.gainDecibels, sampleRate: sampleRate)
    bandwidth = LinearRamp(value: settings.bandwidthOctaves, sampleRate: sampleRate)
    heard = LinearRamp(value: settings.isBypassed ? 0 : 1, sampleRate: sampleRate)
    crossing = LinearRamp(value: 1, sampleRate: sampleRate)
    origin = MatchedBand(settings, sampleRate: sampleRate)
    former = origin
    target = origin
  }

  /// The shape of the last frame.
  var shape: MatchedBand {
    @_noLocks @_noAllocation get { position == 0 ? origin : shape(at: position) }
  }

  /// Whether the shape of the next frame may be another one.
  var isMoving: Bool {
    @_noLocks @_noAllocation get { position < length || isBroken || isRamping }
  }

  private var isRamping: Bool {
    @_noLocks @_noAllocation get {
      frequency.isRamping || gain.isRamping || bandwidth.isRamping || crossing.isRamping
    }
  }

  /// Frames until nothing moves any more.
  var remainingFrames: Int {
    @_noLocks @_noAllocation get {
      let ramps = max(
        max(frequency.remainingFrames, gain.remainingFrames),
        max(bandwidth.remainingFrames, crossing.remainingFrames))
      let shape =
        ramps > 0
        ? ramps : position < length ? length &- position : isBroken ? Self.segmentFrames : 0
      return max(shape, heard.remainingFrames)
    }
  }

  /// Whether it lets everything through, and goes on doing so.
  var isOff: Bool { @_noLocks @_noAllocation get { heard.value == 0 && !heard.isRamping } }

  // MARK: Set

  @_noLocks @_noAllocation
  mutating func set(_ kind: EqualizerBandKind) {
    breakOff()
    former = origin
    self.kind = kind
    crossing.set(immediately: 0)
    crossing.start(to: 1, overFrames: 0)
  }

  @_noLocks @_noAllocation
  mutating func rampFrequency(to hertz: Double, overFrames frames: UInt32) {
    breakOff()
    frequency.start(to: hertz, overFrames: frames)
  }

  @_noLocks @_noAllocation
  mutating func rampGain(to decibels: Double, overFrames frames: UInt32) {
    breakOff()
    gain.start(to: decibels, overFrames: frames)
  }

  @_noLocks @_noAllocation
  mutating func rampBandwidth(to octaves: Double, overFrames frames: UInt32) {
    breakOff()
    bandwidth.start(to: octaves, overFrames: frames)
  }

  /// Ends a segment before what it leads to changes.
  @_noLocks @_noAllocation
  private mutating func breakOff() {
    if position < length {
      origin = shape
      isBroken = true
    }
    position = 0
    length = 0
  }

  // MARK: Move

  /// How many of `count` frames may be taken before `advance`, while the shape moves.
  @_noLocks @_noAllocation
  mutating func segment(upTo count: Int) -> Int {
    if position == length { begin() }
    return min(count, length &- position)
  }

  /// The shape so many frames after the last one; of a frame of the segment.
  @_noLocks @_noAllocation @inline(__always)
  func shape(after frames: Int) -> MatchedBand { shape(at: position &+ frames) }

  /// Takes frames of the segment.
  @_noLocks @_noAllocation
  mutating func advance(by frames: Int) {
    let count = UInt32(truncatingIfNeeded: frames)
    frequency.advance(by: count)
    gain.advance(by: count)
    bandwidth.advance(by: count)
    crossing.advance(by: count)
    position &+= frames
    if position == length {
      origin = target
      position = 0
      length = 0
    }
  }

  /// Takes frames that are not heard.
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) {
    heard.advance(by: UInt32(clamping: frameCount))
    var left = frameCount
    while left > 0 && isMoving {
      let count = segment(upTo: left)
      advance(by: count)
      left &-= count
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private func shape(at position: Int) -> MatchedBand {
    position == length
      ? target : origin.moved(to: target, by: Double(position) / Double(length))
  }

  @_noLocks @_noAllocation
  private mutating func begin() {
    var end = self
    let count = min(
      min(Self.left(frequency), Self.left(gain)),
      min(Self.left(bandwidth), Self.left(crossing)))
    end.frequency.advance(by: UInt32(truncatingIfNeeded: count))
    end.gain.advance(by: UInt32(truncatingIfNeeded: count))
    end.bandwidth.advance(by: UInt32(truncatingIfNeeded: count))
    end.crossing.advance(by: UInt32(truncatingIfNeeded: count))
    let wanted = MatchedBand.band(
      kind, hertz: end.frequency.value, decibels: end.gain.value, octaves: end.bandwidth.value,
      sampleRate: sampleRate)
    target = end.crossing.isRamping ? former.moved(to: wanted, by: end.crossing.value) : wanted
    position = 0
    length = count
    isBroken = false
  }

  /// How long a segment may be for a ramp.
  @_noLocks @_noAllocation
  private static func left(_ ramp: LinearRamp) -> Int {
    ramp.isRamping ? min(ramp.remainingFrames, segmentFrames) : segmentFrames
  }
}
