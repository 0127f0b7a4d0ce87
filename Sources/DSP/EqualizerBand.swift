// A band of an equalizer: its settings, and the motion of its shape.

import Realtime

/// The settings and the shape of a band. The shape moves in segments of up to 16 frames. At a
/// segment's end it is that of the settings there; in between it is interpolated linearly. Segments
/// begin with an event and end with a ramp, so that shapes depend on the frame only, however frames
/// are divided into calls.
struct EqualizerBand {
  var kind: EqualizerBandKind
  var frequency: LinearRamp
  var gain: LinearRamp
  var bandwidth: LinearRamp
  /// The bypass fade: 1 is heard, 0 bypassed.
  var heard: LinearRamp
  /// The crossfade from the former kind's shape to the current one's.
  private var crossing: LinearRamp
  private var former: MatchedBand
  /// The ends of the current segment.
  private var origin: MatchedBand
  private var target: MatchedBand
  private var position = 0
  private var length = 0
  /// Whether a segment was cut short, so that the shape is not that of the settings.
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

  /// Whether the shape may change with the next frame.
  var isMoving: Bool {
    @_noLocks @_noAllocation get { position < length || isBroken || isRamping }
  }

  private var isRamping: Bool {
    @_noLocks @_noAllocation get {
      frequency.isRamping || gain.isRamping || bandwidth.isRamping || crossing.isRamping
    }
  }

  /// Frames until nothing is changing.
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

  /// Whether the band passes its input unchanged, and continues to.
  var isOff: Bool { @_noLocks @_noAllocation get { heard.value == 0 && !heard.isRamping } }

  // MARK: Set

  /// Changes or reads a setting; see `Equalizer.setting(_:ofBand:_:)`.
  @_noLocks @_noAllocation
  mutating func answer(_ request: ParameterRequest, _ setting: Equalizer.BandSetting) -> Double? {
    if let target = request.target {
      switch setting {
      case .kind: set(EqualizerBandKind(place: Int(saturating: target + 0.5)))
      case .bypass: heard.start(to: target >= 0.5 ? 0 : 1, overFrames: 0)
      default: breakOff()
      }
    }
    switch setting {
    case .kind, .bypass: return nil
    case .frequency: return frequency.answer(request)
    case .gain: return gain.answer(request)
    case .bandwidth: return bandwidth.answer(request)
    }
  }

  @_noLocks @_noAllocation
  private mutating func set(_ kind: EqualizerBandKind) {
    breakOff()
    former = origin
    self.kind = kind
    crossing.set(immediately: 0)
    crossing.start(to: 1, overFrames: 0)
  }

  /// Ends a segment early, before its target changes.
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

  /// Returns the number of frames, up to `count`, to take before `advance`, while the shape is
  /// changing.
  @_noLocks @_noAllocation
  mutating func segment(upTo count: Int) -> Int {
    if position == length { begin() }
    return min(count, length &- position)
  }

  /// Returns the shape `frames` frames after the last one, within the segment.
  @_noLocks @_noAllocation @inline(__always)
  func shape(after frames: Int) -> MatchedBand { shape(at: position &+ frames) }

  /// Advances by frames of the segment.
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

  /// Advances over frames that are not processed.
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

  /// Returns the longest segment that a ramp allows.
  @_noLocks @_noAllocation
  private static func left(_ ramp: LinearRamp) -> Int {
    ramp.isRamping ? min(ramp.remainingFrames, segmentFrames) : segmentFrames
  }
}
