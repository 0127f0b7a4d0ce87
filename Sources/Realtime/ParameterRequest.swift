// Requests by which a parameter reaches its setting.

/// A change of a parameter, or the question for its value. One function of an effect answers both,
/// so that a parameter's number is matched with its setting in one place.
public enum ParameterRequest: Sendable, BitwiseCopyable {
  /// Sets the parameter on the next frame, or starts a ramp to the value.
  /// - Parameter overFrames: the ramp's length; 0 sets the value, without a click.
  case start(to: Double, overFrames: UInt32)
  /// Asks for the current value of a ramping parameter, for publishing, and once more after the
  /// ramp's end; the answer is nil at rest.
  case reading

  /// The new value; nil for a reading.
  public var target: Double? {
    @_noLocks @_noAllocation get {
      if case .start(let target, _) = self { target } else { nil }
    }
  }

  /// Returns the request in a unit that is `factor` times smaller.
  @_noLocks @_noAllocation
  public func scaled(by factor: Double) -> ParameterRequest {
    switch self {
    case .start(let target, let frames): .start(to: target * factor, overFrames: frames)
    case .reading: .reading
    }
  }
}
