// Errors of busses and formats.

/// A refused change of a bus; nothing has changed.
public enum BusError: Error, Sendable, Hashable, CustomStringConvertible {
  case sampleRateOutOfRange(Double)
  case channelCountOutOfRange(Int)
  /// The bus supports only certain channel counts.
  case channelCountUnsupported(Int, bus: String, supported: [Int])
  case tooManyChannels(Int, bus: String, maximum: Int)
  /// The unit's render resources are allocated.
  case renderResourcesAllocated
  /// The array has a fixed number of busses.
  case countNotChangeable(Int)
  case countOutOfRange(Int, maximum: Int)

  public var description: String {
    switch self {
    case .sampleRateOutOfRange(let rate):
      "sample rate \(rate) Hz: give \(Int(AudioFormat.sampleRates.lowerBound)) to "
        + "\(Int(AudioFormat.sampleRates.upperBound)) Hz"
    case .channelCountOutOfRange(let count):
      "\(count) channels: give \(AudioFormat.channelCounts.lowerBound) to "
        + "\(AudioFormat.channelCounts.upperBound)"
    case .channelCountUnsupported(let count, let bus, let supported):
      "bus \(bus) does not take \(count) channels; it takes "
        + supported.map(String.init).joined(separator: ", ")
    case .tooManyChannels(let count, let bus, let maximum):
      "bus \(bus) does not take \(count) channels; it takes at most \(maximum)"
    case .renderResourcesAllocated:
      "the unit's render resources are allocated; deallocate them before changing its busses"
    case .countNotChangeable(let count):
      "the number of busses is fixed at \(count)"
    case .countOutOfRange(let count, let maximum):
      "\(count) busses: give 0 to \(maximum)"
    }
  }
}
