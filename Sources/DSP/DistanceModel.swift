// The attenuation of sounds by their distance.

import Realtime

/// The curves of gain by distance: 1 up to a reference distance, constant from a maximum distance
/// on. These are the clamped models of OpenAL 1.1.
///
/// - Thread: [any]
public enum DistanceModel: Sendable, BitwiseCopyable, CaseIterable {
  /// reference / (reference + rollOff · (d − reference))
  case inverse
  /// 1 − rollOff · (d − reference) / (maximum − reference), at least 0.
  case linear
  /// (d / reference) ^ −rollOff
  case exponential

  /// Creates the model with an index in the order of the cases; the last one for any other index.
  @_noLocks @_noAllocation
  public init(place: Int) {
    switch place {
    case 0: self = .inverse
    case 1: self = .linear
    default: self = .exponential
    }
  }

  /// Returns the linear gain at a distance; 1 if the maximum does not exceed the reference.
  ///
  /// - Parameters:
  ///   - distance: at least 0.
  ///   - reference: above 0.
  ///   - rollOff: at least 0.
  @_noLocks @_noAllocation
  public func gain(
    distance: Double, reference: Double, maximum: Double, rollOff: Double
  ) -> Double {
    let held = min(distance, maximum)
    if !(held > reference) { return 1 }
    switch self {
    case .inverse: return reference / (reference + rollOff * (held - reference))
    case .linear: return max(0, 1 - rollOff * (held - reference) / (maximum - reference))
    case .exponential:
      return RealtimeMath.exponential(-rollOff * RealtimeMath.naturalLogarithm(held / reference))
    }
  }
}
