// What messages cost a chain.

/// What a message of each kind costs on its way through a chain, as estimated: a unit is about a hundred instructions. The
/// value is a handle: copies name the same memory.
struct MIDIChainCosts: @unchecked Sendable, BitwiseCopyable {
  /// What a message costs that concerns no stage, and what each stage adds that it concerns.
  private static var passing: Int { 4 }
  private static var stage: Int { 2 }
  /// What a parameter of a stage costs.
  static var parameter: Int { @_noLocks @_noAllocation get { 20 } }

  /// By the kinds' raw values.
  private let costs: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  init(_ places: UnsafePointer<MIDIChainPlace>, count: Int) {
    costs = .allocate(capacity: 16)
    for kind in 0..<16 {
      let isNote = kind == MessageKind.noteOn.rawValue || kind == MessageKind.noteOff.rawValue
      var cost = Self.passing
      var messages = 1
      for place in 0..<count where places[place].traits.kinds >> UInt16(kind) & 1 != 0 {
        if isNote { messages = min(messages * places[place].traits.notesOfOne, 64) }
        cost += Self.stage * messages
      }
      (costs + kind).initialize(to: cost)
    }
  }

  /// - Thread: [control], once nobody uses the memory any more.
  func deallocate() { costs.deallocate() }

  @_noLocks @_noAllocation
  subscript(kind: MessageKind) -> Int {
    costs[kind.index]
  }
}
