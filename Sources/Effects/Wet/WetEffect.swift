// The render side shared by a reverb and a chorus.

import Realtime

/// An effect that makes two channels from one, without the dry signal.
///
/// - Thread: [render]
protocol WetEffect: ~Copyable {
  /// Changes a parameter, or answers with its reading.
  /// - Parameter index: the parameter's index in the unit's tree.
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double?

  /// Makes two channels from one; `left` may be the input's memory.
  mutating func process(
    input: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, frameCount: Int)

  /// Whether silent input gives silent output.
  var isSilent: Bool { get }

  /// Advances ramps over frames that are not processed.
  mutating func skip(_ frameCount: Int)

  /// Clears the audio state.
  mutating func reset()
}
