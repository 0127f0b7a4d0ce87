// Identities of units in a graph.

/// The identity of a unit in a graph. Constant while the graph changes, and never reused.
public struct NodeID: Hashable, Sendable {
  let number: Int

  /// The `target` of parameter events for this unit.
  ///
  /// - Thread: [any]
  public var eventTarget: UInt32 { UInt32(truncatingIfNeeded: number) }
}
