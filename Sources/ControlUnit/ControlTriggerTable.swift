// The table of triggers on the render side.

import Realtime
import UnitRender

/// A value of a trigger.
struct ControlValue: BitwiseCopyable {
  let target: UInt32
  let address: UInt64
  let value: Float
}

/// A bypass change of a trigger.
struct ControlBypass: BitwiseCopyable {
  let target: UInt32
  let isOn: Bool
}

/// A trigger: the ranges of its values, bypasses and resets.
struct ControlTriggerEntry: BitwiseCopyable {
  /// The trigger's number on the control side.
  let number: Int
  let firstValue: Int
  let endValue: Int
  let firstBypass: Int
  let endBypass: Int
  let firstReset: Int
  let endReset: Int
}

/// The report of an executed trigger.
struct ControlReport: BitwiseCopyable {
  let number: Int
  let frame: FrameTime

  @_noLocks @_noAllocation
  init(number: Int, frame: FrameTime) {
    self.number = number
    self.frame = frame
  }
}

/// Triggers with their values, bypasses and resets. Built and freed by the control side.
struct ControlTriggerTable: BitwiseCopyable {
  let entries: UnsafeMutablePointer<ControlTriggerEntry>
  let values: UnsafeMutablePointer<ControlValue>
  let bypasses: UnsafeMutablePointer<ControlBypass>
  let resets: UnsafeMutablePointer<UnitSwitches>

  /// - Parameter first: the number of the first trigger; the others follow.
  /// - Thread: [control]
  init(_ triggers: [ControlTrigger], from first: Int) {
    var (entries, values) = ([ControlTriggerEntry](), [ControlValue]())
    var (bypasses, resets) = ([ControlBypass](), [UnitSwitches]())
    for (index, trigger) in triggers.enumerated() {
      let (firstValue, firstBypass, firstReset) = (values.count, bypasses.count, resets.count)
      values += trigger.values.map {
        ControlValue(target: $0.target, address: $0.address, value: $0.value)
      }
      bypasses += trigger.bypasses.map { ControlBypass(target: $0.target, isOn: $0.isOn) }
      resets += trigger.resets.map(\.switches)
      entries.append(
        ControlTriggerEntry(
          number: first + index, firstValue: firstValue, endValue: values.count,
          firstBypass: firstBypass, endBypass: bypasses.count, firstReset: firstReset,
          endReset: resets.count))
    }
    self.entries = Self.memory(of: entries)
    self.values = Self.memory(of: values)
    self.bypasses = Self.memory(of: bypasses)
    self.resets = Self.memory(of: resets)
  }

  private static func memory<Element: BitwiseCopyable>(
    of elements: [Element]
  ) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    memory.initialize(from: elements, count: elements.count)
    return memory
  }

  /// - Thread: [control], once the render side no longer uses it.
  func deallocate() {
    entries.deallocate()
    values.deallocate()
    bypasses.deallocate()
    resets.deallocate()
  }
}

/// The ring of reports to the control side. The value is a handle: copies name the same memory.
struct ControlReports: @unchecked Sendable, BitwiseCopyable {
  private let ring = Ring<ControlReport>(capacity: 256)
  private let lost = AtomicCounters(count: 1)

  /// - Thread: [control]
  init() {}

  /// - Thread: [control], once the render side is gone.
  func deallocate() {
    ring.deallocate()
    lost.deallocate()
  }

  /// The number of reports lost because the ring was full.
  var lostCount: Int { lost[0] }

  /// - Thread: [control], one at a time.
  func take() -> ControlReport? { ring.tryReceive() }

  @_noLocks @_noAllocation
  func send(_ report: ControlReport) {
    if !ring.trySend(report) { lost.add(1, to: 0) }
  }
}
