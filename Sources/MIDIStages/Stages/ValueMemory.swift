// What a stage has worked out for values of its input.

/// What comes of each value 0 to 127 by the settings of a stage, kept until a setting changes.
struct ValueMemory: BitwiseCopyable {
  static var unknown: Int { @_noLocks @_noAllocation get { -128 } }

  private var results = InlineArray<128, Int8>(repeating: -128)
  private var isEmpty = true

  /// - Thread: [any]
  @_noLocks @_noAllocation
  init() {}

  /// −1 to 127, or `unknown`.
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
