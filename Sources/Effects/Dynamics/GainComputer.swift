// The render side shared by a compressor, a limiter and a gate.

import Realtime

/// A gain computer, which turns levels into gains.
///
/// - Thread: [render]
protocol GainComputer: ~Copyable {
  /// Changes a parameter, or answers with its reading.
  /// - Parameter index: the parameter's index in the unit's tree.
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double?

  /// Sets the delay of levels after their samples, in frames.
  mutating func setLate(frames: Int)

  /// Replaces levels from 0 to 10⁶ by gains.
  mutating func process(_ levels: UnsafeMutablePointer<Float>, count: Int)

  /// The decibels by which the last gain is lowered.
  var reductionDecibels: Double { get }

  /// Whether silence changes nothing but the ramps.
  var isAtRest: Bool { get }

  /// Advances ramps over frames that are not processed.
  mutating func skip(_ frameCount: Int)

  /// Clears the levels.
  mutating func reset()
}
