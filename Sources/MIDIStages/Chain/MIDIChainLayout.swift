// The stages of a chain, and the addresses of their parameters.

/// The stages of a chain in the order in which they process events, each with its number among
/// those of its kind.
///
/// A stage's parameters have consecutive addresses from its base on. The base depends only on the
/// kind and the number among the stages of that kind. So a document keeps its meaning when stages
/// of other kinds are added or removed.
public struct MIDIChainLayout: Sendable, Equatable {
  /// One stage of a layout.
  public struct Stage: Sendable, Equatable {
    public let kind: MIDIStageKind
    /// The number of the stage among those of its kind, from 1 on.
    public let ordinal: Int
    /// The address of parameter 0: `0x4D000000 + kind · 0x10000 + (ordinal − 1) · 0x100`.
    public let baseAddress: UInt64
  }

  public static let maximumStageCount = 256

  /// The lowest address of a stage; the addresses of a unit's own parameters are lower.
  public static var firstAddress: UInt64 { @_noLocks @_noAllocation get { 0x4D00_0000 } }

  public let stages: [Stage]

  /// - Parameter kinds: at most `maximumStageCount` of them.
  public init(_ kinds: [MIDIStageKind]) {
    precondition(
      kinds.count <= Self.maximumStageCount,
      "a MIDI chain has at most \(Self.maximumStageCount) stages")
    var counts: [MIDIStageKind: Int] = [:]
    stages = kinds.map { kind in
      let ordinal = counts[kind, default: 0] + 1
      counts[kind] = ordinal
      return Stage(
        kind: kind, ordinal: ordinal,
        baseAddress: Self.firstAddress + UInt64(kind.number) << 16 + UInt64(ordinal - 1) << 8)
    }
  }

  /// The index of the stage that an address belongs to; nil for none.
  ///
  /// - Thread: [any]. - Complexity: O(stages)
  public func place(ofAddress address: UInt64) -> Int? {
    stages.firstIndex { address &- $0.baseAddress < 0x100 }
  }
}
