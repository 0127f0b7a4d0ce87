// The table of mappings on the render side.

import Configuration
import MIDIStages
import Realtime
import UnitModel
import UnitRender

/// The meaning of messages; see `MappingConfiguration.Mode`.
enum ControlMode: BitwiseCopyable { case absolute, toggle, relative, relativeOffset, relativeSign }

/// See `MappingConfiguration.Pickup`.
enum ControlPickup: BitwiseCopyable { case jump, pickup, scale }

/// One mapping.
struct ControlEntry: BitwiseCopyable {
  /// Channels it responds to: bit n is channel n + 1.
  let channels: UInt16
  let mode: ControlMode
  let pickup: ControlPickup
  let curve: ResponseCurve
  let shape: Double
  /// The values at the two ends of the control's range.
  let first: Float
  let last: Float
  /// The range between `first` and `last`.
  let target: MIDITarget
  let rampFrames: UInt32
  /// The size of an encoder's step, as a part of the control's range.
  let step: Double
  /// The index of its parameter in the table; below 0 for a trigger.
  let parameter: Int
  /// The index of its trigger; below 0 for a parameter.
  let trigger: Int
  /// The bank in which a program change counts; below 0 for any.
  let bank: Int
  let feedback: ControlFeedback
  /// The slot of its state, and the generation that the state must have.
  let slot: Int
  let generation: Int

  /// Whether the control has a position: it is neither an encoder nor a switch.
  var hasPosition: Bool {
    @_noLocks @_noAllocation get {
      if case .absolute = mode { return true }
      return false
    }
  }

  /// Whether messages contain steps: it is an encoder.
  var isEncoder: Bool {
    switch mode {
    case .relative, .relativeOffset, .relativeSign: true
    case .absolute, .toggle: false
    }
  }

  /// Returns the parameter's value at a position of the control, 0…1.
  @_noLocks @_noAllocation
  func value(_ position: Double) -> Float {
    // The ends are exact to the bit, without the rounding of logarithms.
    if !(position > 0) { return first }
    if position >= 1 { return last }
    let part = curve.value(position, shape: shape)
    return target.value(first < last ? part : 1 - part)
  }

  /// Returns the control's position for a value.
  @_noLocks @_noAllocation
  func position(_ value: Float) -> Double {
    let part = target.part(value)
    return curve.input(first < last ? part : 1 - part, shape: shape)
  }
}

/// A parameter that some mappings move.
struct ControlParameter: BitwiseCopyable {
  let address: UInt64
  let target: UInt32
  let values: ParameterValues
  let valueIndex: Int
  let slot: Int
  let generation: Int
}

/// All mappings, sorted by source. Built and freed by the control side.
struct ControlTable: BitwiseCopyable {
  let entries: UnsafeMutablePointer<ControlEntry>
  let entryCount: Int
  /// The time that a control counts as being moved after its last message: 1/4 s, in frames.
  let holdFrames: Int
  let parameters: UnsafeMutablePointer<ControlParameter>
  /// The index of each source's first entry; the entries end at the start of the next source.
  private let starts: UnsafeMutablePointer<Int>
  private let sourceCount: Int
  /// The mapped non-registered parameters, in ascending order.
  private let nonRegistered: UnsafeMutablePointer<Int>
  let nonRegisteredCount: Int
  let triggers: ControlTriggerTable
  /// Whether some program changes count only in one bank.
  let hasBanks: Bool
  /// A bit for each controller with an encoder: those below 64, and the others.
  private var encoders: (UInt64, UInt64) = (0, 0)

  /// - Parameters:
  ///   - entries: the entries with the numbers of their sources, in ascending order of these.
  ///   - nonRegistered: the mapped ones, in ascending order; see `ControlSource`.
  /// - Thread: [control]
  init(
    _ entries: [(source: Int, entry: ControlEntry)], _ parameters: [ControlParameter],
    _ triggers: ControlTriggerTable, nonRegistered: [Int], sampleRate: Double
  ) {
    entryCount = entries.count
    holdFrames = Int(sampleRate / 4)
    self.triggers = triggers
    hasBanks = entries.contains { $0.entry.bank >= 0 }
    self.entries = .allocate(capacity: max(entries.count, 1))
    self.entries.initialize(from: entries.map(\.entry), count: entries.count)
    self.parameters = .allocate(capacity: max(parameters.count, 1))
    self.parameters.initialize(from: parameters, count: parameters.count)
    sourceCount = ControlSource.firstNonRegistered + nonRegistered.count
    starts = .allocate(capacity: sourceCount + 1)
    var index = 0
    for source in 0...sourceCount {
      while index < entries.count && entries[index].source < source { index += 1 }
      (starts + source).initialize(to: index)
    }
    self.nonRegistered = .allocate(capacity: max(nonRegistered.count, 1))
    self.nonRegistered.initialize(from: nonRegistered, count: nonRegistered.count)
    nonRegisteredCount = nonRegistered.count
    for (source, entry) in entries where source < 128 && entry.isEncoder {
      if source < 64 { encoders.0 |= 1 << source } else { encoders.1 |= 1 << (source - 64) }
    }
  }

  /// - Thread: [control], once the render side no longer uses it.
  func deallocate() {
    entries.deallocate()
    parameters.deallocate()
    starts.deallocate()
    nonRegistered.deallocate()
    triggers.deallocate()
  }

  /// Returns the index of a source's first entry.
  @_noLocks @_noAllocation
  func start(of source: Int) -> Int { starts[source] }

  /// Returns the index after a source's last entry.
  @_noLocks @_noAllocation
  func end(of source: Int) -> Int { starts[source &+ 1] }

  @_noLocks @_noAllocation
  func isMapped(_ source: Int) -> Bool { start(of: source) < end(of: source) }

  /// Whether each message of a controller counts, also a repeated one.
  @_noLocks @_noAllocation
  func isEncoder(_ controller: Int) -> Bool {
    let bits = controller < 64 ? encoders.0 : encoders.1
    return bits &>> UInt64(truncatingIfNeeded: controller & 63) & 1 != 0
  }

  /// Returns the source of a non-registered parameter; below 0 if it is not mapped.
  /// - Complexity: O(log n) for n mapped ones.
  @_noLocks @_noAllocation
  func source(ofNonRegistered number: Int) -> Int {
    var (low, high) = (0, nonRegisteredCount)
    while low < high {
      let middle = (low &+ high) / 2
      if nonRegistered[middle] < number { low = middle &+ 1 } else { high = middle }
    }
    if low == nonRegisteredCount || nonRegistered[low] != number { return -1 }
    return ControlSource.firstNonRegistered &+ low
  }
}

/// The numbers of the sources.
enum ControlSource {
  /// The first of 32 pairs, after 128 controllers.
  static var firstPair: Int { @_noLocks @_noAllocation get { 128 } }
  static var pressure: Int { @_noLocks @_noAllocation get { 160 } }
  static var bend: Int { @_noLocks @_noAllocation get { 161 } }
  /// The first of 128 keys.
  static var firstNote: Int { @_noLocks @_noAllocation get { 162 } }
  /// The first of 128 programs.
  static var firstProgram: Int { @_noLocks @_noAllocation get { 290 } }
  /// The first of the mapped non-registered parameters, in their order.
  static var firstNonRegistered: Int { @_noLocks @_noAllocation get { 418 } }

  /// - Parameter nonRegistered: the mapped ones, in ascending order.
  static func number(_ source: MappingConfiguration.Source, nonRegistered: [Int]) -> Int {
    switch source {
    case .controller(let number): number
    case .controllerPair(let number): firstPair + number
    case .pressure: pressure
    case .bend: bend
    case .note(let key): firstNote + key
    case .program(let number): firstProgram + number
    case .nonRegistered(let number):
      firstNonRegistered + (nonRegistered.firstIndex(of: number) ?? 0)
    }
  }
}
