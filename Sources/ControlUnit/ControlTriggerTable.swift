// What presses set off, as the render side has it.

import Realtime
import UnitRender

/// A value of a trigger.
struct ControlValue: BitwiseCopyable {
  let target: UInt32
  let address: UInt64
  let value: Float
}

/// A bypass that a trigger begins or ends.
struct ControlBypass: BitwiseCopyable {
  let target: UInt32
  let isOn: Bool
}

/// A trigger: the ranges of what belongs to it.
struct ControlTriggerEntry: BitwiseCopyable {
  /// By which the control side knows it.
  let number: Int
  let firstValue: Int
  let endValue: Int
  let firstBypass: Int
  let endBypass: Int
  let firstReset: Int
  let endReset: Int
}

/// That a trigger was set off.
struct ControlReport: BitwiseCopyable {
  let number: Int
  let frame: FrameTime

  @_noLocks @_noAllocation
  init(number: Int, frame: FrameTime) {
    self.number = number
    self.frame = frame
  }
}

/// Triggers with what belongs to them. Built and freed by the control side.
struct ControlTriggerTable: BitwiseCopyable {
  let entries: UnsafeMutablePointer<ControlTriggerEntry>
  let values: UnsafeMutablePointer<ControlValue>
  let bypasses: UnsafeMutablePointer<ControlBypass>
  let resets: UnsafeMutablePointer<UnitSwitches>

  /// - Parameter first: the number of the first one; the others follow.
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

  /// - Thread: [control], once the render side does not use it any more.
  func deallocate() {
    entries.deallocate()
    values.deallocate()
    bypasses.deallocate()
    resets.deallocate()
  }
}

/// The way of reports to the control side. The value is a handle: copies name the same memory.
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

  /// How many found no room.
  var lostCount: Int { lost[0] }

  /// - Thread: [control], one at a time.
  func take() -> ControlReport? { ring.tryReceive() }

  @_noLocks @_noAllocation
  func tell(_ report: ControlReport) {
    if !ring.trySend(report) { lost.add(1, to: 0) }
  }
}
