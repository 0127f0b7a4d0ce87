// The cost of messages in a chain.

/// The estimated cost of a message of each kind on its way through a chain; the unit is about a
/// hundred instructions. The value is a handle: copies name the same memory.
struct MIDIChainCosts: @unchecked Sendable, BitwiseCopyable {
  /// The cost of any message, and the cost added by each stage that it concerns.
  private static var passing: Int { @_noLocks @_noAllocation get { 4 } }
  private static var stage: Int { @_noLocks @_noAllocation get { 2 } }
  /// The cost of a parameter of a stage.
  static var parameter: Int { @_noLocks @_noAllocation get { 20 } }

  /// Costs by the kinds' raw values.
  private let costs: UnsafeMutablePointer<Int>
  /// Maximum numbers of messages made from one, by the kinds' raw values.
  private let copies: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  init() {
    costs = .allocate(capacity: 16)
    costs.initialize(repeating: Self.passing, count: 16)
    copies = .allocate(capacity: 16)
    copies.initialize(repeating: 1, count: 16)
  }

  /// Updates the costs from the stages' current settings.
  /// - Complexity: O(stages)
  @_noLocks @_noAllocation
  func update(_ slots: UnsafePointer<StageSlot>, count: Int) {
    var kind: UInt16 = 0
    while kind < 16 {
      let isNote = MessageKind.isNote(index: Int(kind))
      var (cost, messages, index) = (Self.passing, 1, 0)
      while index < count {
        if slots[index].traits.kinds >> kind & 1 != 0 {
          messages = min(messages &* slots[index].stage.copies(ofNote: isNote), 64)
          cost &+= Self.stage &* messages
        }
        index &+= 1
      }
      costs[Int(kind)] = cost
      copies[Int(kind)] = messages
      kind &+= 1
    }
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() {
    costs.deallocate()
    copies.deallocate()
  }

  @_noLocks @_noAllocation
  func copies(of kind: MessageKind) -> Int { copies[kind.index] }

  @_noLocks @_noAllocation
  subscript(kind: MessageKind) -> Int {
    costs[kind.index]
  }
}
