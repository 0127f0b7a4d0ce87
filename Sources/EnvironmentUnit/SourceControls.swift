// The values set for a source, with their ramps.

import DSP
import Realtime

/// The algorithms that place a source. The raw values are those of its parameter.
enum SourceAlgorithm {
  static var equalPower: Int { @_noLocks @_noAllocation get { 0 } }
  static var sphericalHead: Int { @_noLocks @_noAllocation get { 1 } }
  static var headResponses: Int { @_noLocks @_noAllocation get { 2 } }
  static var soundField: Int { @_noLocks @_noAllocation get { 3 } }
  static var stereoPassThrough: Int { @_noLocks @_noAllocation get { 4 } }
}

/// The ramping parameters of an input, and its algorithm.
struct SourceControls {
  var x: LinearRamp
  var y: LinearRamp
  var z: LinearRamp
  var volume: LinearRamp
  var reverbBlend: LinearRamp
  var obstruction: LinearRamp
  var occlusion: LinearRamp
  var algorithm: Int

  /// - Parameter values: all parameter values of the input, in their order.
  /// - Thread: [control]
  init(values: [Double], sampleRate: Double) {
    let ramps = values.map { LinearRamp(value: $0, sampleRate: sampleRate) }
    (x, y, z) = (ramps[0], ramps[1], ramps[2])
    volume = ramps[EnvironmentAddresses.sourceVolume]
    reverbBlend = ramps[EnvironmentAddresses.reverbBlend]
    obstruction = ramps[EnvironmentAddresses.obstruction]
    occlusion = ramps[EnvironmentAddresses.occlusion]
    algorithm = Int(values[EnvironmentAddresses.algorithm])
  }

  /// Sets or ramps a parameter, by its index within the input. A set value applies at once: the
  /// sound glides to it without a click.
  @_noLocks @_noAllocation
  mutating func move(_ parameter: Int, to value: Double, overFrames frames: UInt32) {
    switch parameter {
    case 0: Self.move(&x, value, frames)
    case 1: Self.move(&y, value, frames)
    case 2: Self.move(&z, value, frames)
    case 3: Self.move(&volume, value, frames)
    case 4: algorithm = Int(saturating: value + 0.5)
    case 5: Self.move(&reverbBlend, value, frames)
    case 6: Self.move(&obstruction, value, frames)
    default: Self.move(&occlusion, value, frames)
    }
  }

  @_noLocks @_noAllocation
  private static func move(_ ramp: inout LinearRamp, _ value: Double, _ frames: UInt32) {
    if frames == 0 {
      ramp.set(immediately: value)
    } else {
      ramp.start(to: value, overFrames: frames)
    }
  }

  @_noLocks @_noAllocation
  mutating func takeReading(_ parameter: Int) -> Double? {
    switch parameter {
    case 0: x.takeReading()
    case 1: y.takeReading()
    case 2: z.takeReading()
    case 3: volume.takeReading()
    case 5: reverbBlend.takeReading()
    case 6: obstruction.takeReading()
    case 7: occlusion.takeReading()
    default: nil
    }
  }

  var isRamping: Bool {
    @_noLocks @_noAllocation get {
      x.isRamping || y.isRamping || z.isRamping || volume.isRamping || reverbBlend.isRamping
        || obstruction.isRamping || occlusion.isRamping
    }
  }

  @_noLocks @_noAllocation
  mutating func advance(by frames: Int) {
    if !isRamping { return }
    let count = UInt32(truncatingIfNeeded: frames)
    x.advance(by: count)
    y.advance(by: count)
    z.advance(by: count)
    volume.advance(by: count)
    reverbBlend.advance(by: count)
    obstruction.advance(by: count)
    occlusion.advance(by: count)
  }

  /// Returns the longest segment that can begin now.
  @_noLocks @_noAllocation
  func segmentFrames() -> Int {
    min(
      min(min(Self.left(x), Self.left(y)), min(Self.left(z), Self.left(volume))),
      min(Self.left(reverbBlend), min(Self.left(obstruction), Self.left(occlusion))))
  }

  @_noLocks @_noAllocation
  private static func left(_ ramp: LinearRamp) -> Int {
    ramp.isRamping
      ? min(ramp.remainingFrames, SpatialClock.segmentFrames) : SpatialClock.segmentFrames
  }

  // MARK: Derived values

  @_noLocks @_noAllocation
  func relativePosition(_ moment: EnvironmentMoment) -> RelativePosition {
    RelativePosition(
      of: SpatialVector(x: x.value, y: y.value, z: z.value), from: moment.position,
      axes: moment.axes)
  }

  /// Returns the gain and the low-pass of the placed sound, then those of the reverb send.
  ///
  /// - Parameter passes: whether the input is passed through unplaced.
  @_noLocks @_noAllocation
  func level(
    at relative: RelativePosition, _ moment: EnvironmentMoment, passes: Bool, sampleRate: Double
  ) -> SIMD4<Double> {
    if moment.isBypassed { return SIMD4(1, 1, 0, 1) }
    let sent = moment.hasReverb ? reverbBlend.value : 0
    if passes { return SIMD4(volume.value * (1 - sent), 1, volume.value * sent, 1) }
    let level = volume.value * moment.gain(at: relative.distance)
    let both = Muffling(decibels: occlusion.value, sampleRate: sampleRate)
    let direct =
      obstruction.value < 0
      ? Muffling(decibels: obstruction.value + occlusion.value, sampleRate: sampleRate) : both
    return SIMD4(
      level * (1 - sent) * direct.gain, direct.coefficient, level * sent * both.gain,
      both.coefficient)
  }
}
