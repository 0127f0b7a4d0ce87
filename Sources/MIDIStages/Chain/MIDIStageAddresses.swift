// The stage of a chain that an address belongs to.

/// The index in the chain for each base address that a stage may have. The value is a handle:
/// copies name the same memory.
struct MIDIStageAddresses: @unchecked Sendable, BitwiseCopyable {
  /// Stage indices by the distance of the base address from the first, in units of 0x100; −1 if the
  /// chain has no such stage.
  private let stages: UnsafeMutablePointer<Int16>
  private let count: Int

  /// - Thread: [control]
  static func allocate(_ layout: MIDIChainLayout) -> MIDIStageAddresses {
    MIDIStageAddresses(layout)
  }

  private init(_ layout: MIDIChainLayout) {
    let indices = layout.stages.map { Int($0.baseAddress - MIDIChainLayout.firstAddress) >> 8 }
    count = (indices.max() ?? -1) + 1
    stages = .allocate(capacity: max(count, 1))
    stages.initialize(repeating: -1, count: count)
    for (stage, index) in indices.enumerated() { stages[index] = Int16(stage) }
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { stages.deallocate() }

  /// The index of the stage that has an address; −1 for none.
  @_noLocks @_noAllocation
  func stageIndex(of address: UInt64) -> Int {
    let index = (address &- MIDIChainLayout.firstAddress) >> 8
    return index < UInt64(truncatingIfNeeded: count)
      ? Int(stages[Int(truncatingIfNeeded: index)]) : -1
  }
}
