// A token for removing an observer and for excluding it from its own changes.

import Synchronization

/// Identifies one observer of a node.
///
/// AUv3: `AUParameterObserverToken`.
public struct ParameterObserverToken: Hashable, Sendable {
  private let number: UInt64

  private static let last = Atomic<UInt64>(0)

  init() { number = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
}
