// Who a unit of a graph is.

/// The identity of a unit in a graph. It stays while the graph changes around it, and is never
/// given to another.
public struct NodeID: Hashable, Sendable {
  let number: Int

  /// What a parameter event has as its `target` that is for this unit.
  ///
  /// - Thread: [any]
  public var eventTarget: UInt32 { UInt32(truncatingIfNeeded: number) }
}
