// The steps of a rhythm in musical time.

import Realtime

/// Steps of one length, every second one delayed by the swing.
struct StepGrid: BitwiseCopyable {
  /// The length of a step in beats, above 0.
  var length = 0.25
  /// The start of the second of two steps as a part of both, 0.5 to 0.75.
  var swing = 0.5
  /// The beat of step 0.
  var origin = 0.0

  /// The beat of a step.
  @_noLocks @_noAllocation
  func beat(of step: Int) -> Double {
    let late = step & 1 == 0 ? 0 : (2 * swing - 1) * length
    return evenBeat(of: step) + late
  }

  /// The beat of a step without swing.
  @_noLocks @_noAllocation
  func evenBeat(of step: Int) -> Double { origin + Double(step) * length }

  /// The first step that is not before a beat.
  /// - Parameter tolerance: the distance, in beats, by which a step may be before the beat.
  @_noLocks @_noAllocation
  func step(notBefore beat: Double, tolerance: Double) -> Int {
    var step = wholeNumber(notBelow: (beat - origin) / length) - 2
    var turns = 0
    while turns < 4 && self.beat(of: step) < beat - tolerance {
      step &+= 1
      turns &+= 1
    }
    return step
  }
}

/// The smallest whole number that is not below a value, limited to ±1e15.
@_noLocks @_noAllocation
func wholeNumber(notBelow value: Double) -> Int {
  let limit = 1e15
  if !(value > -limit) { return -1_000_000_000_000_000 }
  if value >= limit { return 1_000_000_000_000_000 }
  let whole = Int(saturating: value)
  return Double(whole) < value ? whole &+ 1 : whole
}
