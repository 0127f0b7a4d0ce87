// Results that a stage has computed for values of its input.

/// The results of a stage for each value 0 to 127, kept until a setting changes.
struct ValueMemory: BitwiseCopyable {
  static var unknown: Int { @_noLocks @_noAllocation get { -128 } }

  private var results = InlineArray<128, Int8>(repeating: -128)
  private var isEmpty = true

  /// - Thread: [any]
  @_noLocks @_noAllocation
  init() {}

  /// The result of a value: −1 to 127, or `unknown`.
  @_noLocks @_noAllocation
  func result(of value: Int) -> Int { Int(results[value & 127]) }

  @_noLocks @_noAllocation
  mutating func keep(_ result: Int, of value: Int) {
    results[value & 127] = Int8(truncatingIfNeeded: result)
    isEmpty = false
  }

  @_noLocks @_noAllocation
  mutating func forget() {
    if !isEmpty { self = ValueMemory() }
  }
}
