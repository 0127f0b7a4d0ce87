// Errors of a unit's resource changes.

/// A refused change of a unit's resources; the unit is unchanged.
public enum AudioUnitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Render resources are allocated.
  case renderResourcesAllocated
  /// Render resources are not allocated.
  case renderResourcesNotAllocated
  /// Another thread is allocating or deallocating.
  case busy
  /// A host still renders the unit.
  case stillHosted
  case maximumFramesOutOfRange(Int)
  case sampleRateOutOfRange(Double)
  /// The unit does not support this combination of channel counts.
  case channelsUnsupported(inputs: [Int], outputs: [Int], supported: [String])
  case sampleRatesDiffer([Double])
  /// The trees of a unit have more parameters, in total, than it has room for.
  case tooManyParameters(Int, room: Int)
  /// The unit could not allocate its resources.
  case failed(String)

  public var description: String {
    switch self {
    case .renderResourcesAllocated:
      "render resources are allocated; deallocate them first"
    case .renderResourcesNotAllocated:
      "render resources are not allocated; allocate them first"
    case .busy:
      "another thread is allocating or deallocating the unit's render resources; try again"
    case .stillHosted:
      "a host still renders the unit; let go of it before deallocating render resources"
    case .maximumFramesOutOfRange(let frames):
      "\(frames) frames a call: give \(AudioUnit.maximumFramesRange.lowerBound) to "
        + "\(AudioUnit.maximumFramesRange.upperBound)"
    case .sampleRateOutOfRange(let hertz):
      "\(hertz) Hz: give \(Int(AudioFormat.sampleRates.lowerBound)) to "
        + "\(Int(AudioFormat.sampleRates.upperBound))"
    case .channelsUnsupported(let inputs, let outputs, let supported):
      "the unit does not take \(inputs) input and \(outputs) output channels; it takes "
        + supported.joined(separator: "; ")
    case .sampleRatesDiffer(let rates):
      "the busses have different sample rates (\(rates)); give all of them the same"
    case .tooManyParameters(let count, let room):
      "\(count) parameters, those of earlier trees included, where the unit has room for \(room); "
        + "make another unit with the parameters that are wanted"
    case .failed(let reason):
      reason
    }
  }
}
