// The stage of a chain that an address belongs to.

/// The index in the chain for each base address that a stage may have. The value is a handle:
/// copies name the same memory.
struct MIDIStageAddresses: @unchecked Sendable, BitwiseCopyable {
  /// Stage indices by the distance of the base address from the first, in units of 0x100; −1 if the
  /// chain has no such stage.
  private let places: UnsafeMutablePointer<Int16>
  private let count: Int

  /// - Thread: [control]
  static func allocate(_ layout: MIDIChainLayout) -> MIDIStageAddresses {
    MIDIStageAddresses(layout)
  }

  private init(_ layout: MIDIChainLayout) {
    let indices = layout.stages.map { Int($0.baseAddress - MIDIChainLayout.firstAddress) >> 8 }
    count = (indices.max() ?? -1) + 1
    places = .allocate(capacity: max(count, 1))
    places.initialize(repeating: -1, count: count)
    for (place, index) in indices.enumerated() { places[index] = Int16(place) }
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { places.deallocate() }

  /// The index of the stage that has an address; −1 for none.
  @_noLocks @_noAllocation
  func place(of address: UInt64) -> Int {
    let index = (address &- MIDIChainLayout.firstAddress) >> 8
    return index < UInt64(truncatingIfNeeded: count)
      ? Int(places[Int(truncatingIfNeeded: index)]) : -1
  }
}
