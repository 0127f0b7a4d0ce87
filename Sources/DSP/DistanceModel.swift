// How much quieter a sound is that comes from afar.

/// The curves between a reference distance, up to which nothing is taken away, and a maximum
/// distance, from which on nothing more is: the clamped models of OpenAL 1.1.
///
/// - Thread: [any]
public enum DistanceModel: Sendable, BitwiseCopyable, CaseIterable {
  /// reference / (reference + rollOff · (d − reference))
  case inverse
  /// 1 − rollOff · (d − reference) / (maximum − reference), no less than 0.
  case linear
  /// (d / reference) ^ −rollOff
  case exponential

  /// The model at a place in the order of the cases; the last one for places beyond.
  @_noLocks @_noAllocation
  public init(place: Int) {
    switch place {
    case 0: self = .inverse
    case 1: self = .linear
    default: self = .exponential
    }
  }

  /// The linear gain at a distance. 1 where the maximum is no more than the reference.
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
      return Vouched.exponential(-rollOff * Vouched.naturalLogarithm(held / reference))
    }
  }
}
