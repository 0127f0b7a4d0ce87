// The listener on the render side, and the values shared by all sources.

import DSP
import Realtime

/// The values shared by all sources at one frame.
struct EnvironmentMoment: BitwiseCopyable {
  var position = SpatialVector(x: 0, y: 0, z: 0)
  var axes = ListenerAxes(yaw: 0, pitch: 0, roll: 0)
  var model = DistanceModel.inverse
  var reference = 1.0
  var maximum = 1.0
  var rollOff = 0.0
  var hasReverb = false
  var isBypassed = false

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  func gain(at distance: Double) -> Double {
    model.gain(distance: distance, reference: reference, maximum: maximum, rollOff: rollOff)
  }
}

/// Position and orientation of the listener and the distance law, with their ramps.
struct EnvironmentListener {
  /// x, y, z, yaw, pitch, roll, reference, maximum, roll-off.
  private let ramps: UnsafeMutablePointer<LinearRamp>
  var model: DistanceModel
  var hasReverb: Bool
  var isBypassed: Bool
  /// The values at the last frame taken.
  private(set) var now = EnvironmentMoment()
  /// Frames until all ramps have ended.
  private(set) var remainingFrames = 0

  static var rampCount: Int { @_noLocks @_noAllocation get { 9 } }

  /// - Parameter values: the initial values of the ramps.
  /// - Thread: [control]
  init(
    values: [Double], model: DistanceModel, hasReverb: Bool, isBypassed: Bool, sampleRate: Double
  ) {
    ramps = .allocate(capacity: Self.rampCount)
    for (index, value) in values.enumerated() {
      (ramps + index).initialize(to: LinearRamp(value: value, sampleRate: sampleRate))
    }
    self.model = model
    self.hasReverb = hasReverb
    self.isBypassed = isBypassed
    update()
  }

  /// - Thread: [control]
  func deallocate() { ramps.deallocate() }

  /// Sets or ramps a value. A set value applies at once: the sources glide to it without a click.
  @_noLocks @_noAllocation
  func move(_ index: Int, to value: Double, overFrames frames: UInt32) {
    if frames == 0 {
      ramps[index].set(immediately: value)
    } else {
      ramps[index].start(to: value, overFrames: frames)
    }
  }

  @_noLocks @_noAllocation
  func takeReading(_ index: Int) -> Double? { ramps[index].takeReading() }

  /// Updates `now` and `remainingFrames` after values were set.
  @_noLocks @_noAllocation
  mutating func update() {
    remainingFrames = 0
    var index = 0
    while index < Self.rampCount {
      if ramps[index].isRamping {
        remainingFrames = max(remainingFrames, ramps[index].remainingFrames)
      }
      index &+= 1
    }
    now = made(after: 0)
  }

  /// Advances the ramps by frames.
  @_noLocks @_noAllocation
  mutating func advance(by frames: Int) {
    if remainingFrames == 0 { return }
    var index = 0
    while index < Self.rampCount {
      ramps[index].advance(by: UInt32(truncatingIfNeeded: frames))
      index &+= 1
    }
    update()
  }

  /// Returns the longest segment that can begin `frames` frames after the last one taken.
  @_noLocks @_noAllocation
  func segmentFrames(after frames: Int) -> Int {
    var length = SpatialClock.segmentFrames
    var index = 0
    while index < Self.rampCount {
      let left = ramps[index].isRamping ? ramps[index].remainingFrames &- frames : 0
      if left > 0 { length = min(length, left) }
      index &+= 1
    }
    return length
  }

  /// Returns the shared values `frames` frames after the last one taken.
  @_noLocks @_noAllocation
  func moment(after frames: Int) -> EnvironmentMoment {
    remainingFrames == 0 ? now : made(after: frames)
  }

  @_noLocks @_noAllocation
  private func made(after frames: Int) -> EnvironmentMoment {
    var moment = EnvironmentMoment()
    moment.position = SpatialVector(x: value(0, frames), y: value(1, frames), z: value(2, frames))
    moment.axes = ListenerAxes(
      yaw: value(3, frames), pitch: value(4, frames), roll: value(5, frames))
    moment.model = model
    moment.reference = value(6, frames)
    moment.maximum = value(7, frames)
    moment.rollOff = value(8, frames)
    moment.hasReverb = hasReverb
    moment.isBypassed = isBypassed
    return moment
  }

  @_noLocks @_noAllocation
  private func value(_ index: Int, _ frames: Int) -> Double {
    var ramp = ramps[index]
    ramp.advance(by: UInt32(truncatingIfNeeded: frames))
    return ramp.value
  }
}
