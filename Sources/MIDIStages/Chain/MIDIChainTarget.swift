// The parameters that a stage can move.

import Realtime

/// A parameter of the chain's unit, as a target for controllers.
public struct MIDIChainTarget: Sendable, Equatable {
  /// The parameter's address: below 0x10000, or that of a stage's parameter.
  public var address: UInt64
  /// The range of values, in the parameter's unit.
  public var range: ClosedRange<Float>
  /// Whether equal steps of the control are equal ratios of the value, as a view shows it; then the
  /// range is above 0.
  public var isLogarithmic: Bool
  /// Whether the parameter has whole-number values only.
  public var isStepped: Bool
  /// Whether the parameter may ramp.
  public var canRamp: Bool

  /// - Thread: [any]
  public init(
    address: UInt64, range: ClosedRange<Float>, isLogarithmic: Bool = false,
    isStepped: Bool = false, canRamp: Bool = false
  ) {
    self.address = address
    self.range = range
    self.isLogarithmic = isLogarithmic
    self.isStepped = isStepped
    self.canRamp = canRamp
  }

  /// The number of an address as a parameter's value, which has 24 bits; nil if there is none. The
  /// number is the address itself, or its distance from 0x4D000000 for a stage's parameter.
  ///
  /// - Thread: [any]
  public static func number(ofAddress address: UInt64) -> Int? {
    if address < 0x1_0000 { return Int(address) }
    let number = address &- MIDIChainLayout.firstAddress
    return number >= 0x1_0000 && number < 0x100_0000 ? Int(number) : nil
  }
}

/// A target on the render side.
package struct MIDITarget: BitwiseCopyable {
  package let address: UInt64
  let low: Double
  let high: Double
  /// The natural logarithm of high / low; 0 if the values are not logarithmic.
  let logarithm: Double
  let isStepped: Bool
  package let canRamp: Bool
  /// The index in the chain of the stage that the parameter belongs to; −1 for the unit's own.
  let stageIndex: Int

  /// - Parameter stageIndex: the index in the chain of the stage that it belongs to; −1 for a
  ///   unit's own.
  /// - Thread: [control]
  package init(_ target: MIDIChainTarget, stageIndex: Int = -1) {
    address = target.address
    low = Double(target.range.lowerBound)
    high = Double(target.range.upperBound)
    logarithm = target.isLogarithmic && low > 0 ? Vouched.naturalLogarithm(high / low) : 0
    isStepped = target.isStepped
    canRamp = target.canRamp
    self.stageIndex = stageIndex
  }

  /// The position of a value in the range, 0…1; 0 for NaN.
  @_noLocks @_noAllocation
  package func part(_ value: Float) -> Double {
    let value = Double(value)
    if !(value > low) { return 0 }
    if value >= high { return 1 }
    return logarithm != 0
      ? Vouched.naturalLogarithm(value / low) / logarithm : (value - low) / (high - low)
  }

  /// The value at a position in the range, 0…1.
  @_noLocks @_noAllocation
  package func value(_ part: Double) -> Float {
    var value = low + (high - low) * part
    if logarithm != 0 { value = low * Vouched.exponential(part * logarithm) }
    if isStepped { value = low + Double(Int(saturating: value - low + 0.5)) }
    return Float(value < low ? low : value > high ? high : value)
  }
}

/// All targets of a chain, in order of address. The value is a handle: copies name the same memory.
struct MIDITargets: @unchecked Sendable, BitwiseCopyable {
  private let targets: UnsafeMutablePointer<MIDITarget>
  private let count: Int

  /// - Parameter targets: those without a number are left out.
  /// - Thread: [control]
  static func allocate(_ targets: [MIDIChainTarget], _ layout: MIDIChainLayout) -> MIDITargets {
    MIDITargets(
      targets.filter { MIDIChainTarget.number(ofAddress: $0.address) != nil }
        .sorted { $0.address < $1.address }, layout)
  }

  private init(_ sorted: [MIDIChainTarget], _ layout: MIDIChainLayout) {
    count = sorted.count
    targets = .allocate(capacity: max(count, 1))
    for (index, target) in sorted.enumerated() {
      (targets + index).initialize(
        to: MIDITarget(target, stageIndex: layout.place(ofAddress: target.address) ?? -1))
    }
  }

  /// - Thread: [control], after the last use of the memory.
  func deallocate() { targets.deallocate() }

  /// The target of a number; nil if there is none, or it belongs to the stage at `stageIndex` or
  /// before.
  /// - Complexity: O(log targets)
  @_noLocks @_noAllocation
  func target(_ number: Int, behind stageIndex: Int) -> UnsafeMutablePointer<MIDITarget>? {
    if number < 0 { return nil }
    let address =
      number < 0x1_0000 ? UInt64(number) : MIDIChainLayout.firstAddress &+ UInt64(number)
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if targets[middle].address < address { low = middle + 1 } else { high = middle }
    }
    if low == count || targets[low].address != address { return nil }
    if targets[low].stageIndex >= 0 && targets[low].stageIndex <= stageIndex { return nil }
    return targets + low
  }
}
