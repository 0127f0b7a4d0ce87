// What a schedule measures while somebody looks.

import Realtime
import Synchronization

/// The time that units take, the events that pass them, and the peaks at the external outputs: sums
/// and maxima that the render side adds to and the control side takes.
///
/// Nothing is measured, and nothing costs, until `isOn`. The value is a handle: copies name the
/// same memory, which is the schedule's.
public struct ScheduleMeters: @unchecked Sendable, BitwiseCopyable {
  /// One for whether it is on, one for the frames, four for each unit, one for each output. Numbers
  /// that are not whole are here by their bits, which order like the numbers from 0 up.
  private let words: UnsafeMutablePointer<Atomic<Int>>
  private let unitCount: Int
  private let outputCount: Int

  init(units: Int, outputs: Int) {
    unitCount = units
    outputCount = outputs
    words = .allocate(capacity: 2 + 4 * units + outputs)
    for index in 0..<(2 + 4 * units + outputs) { (words + index).initialize(to: Atomic(0)) }
  }

  func deallocate() {
    words.deinitialize(count: 2 + 4 * unitCount + outputCount)
    words.deallocate()
  }

  /// Whether cycles are measured.
  /// - Thread: [any]
  public var isOn: Bool {
    @_noLocks @_noAllocation get { words[0].load(ordering: .relaxed) != 0 }
    nonmutating set { words[0].store(newValue ? 1 : 0, ordering: .relaxed) }
  }

  /// Adds what a unit did in a cycle.
  /// - Parameter share: the part of the cycle's time that it took, from 0 up.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func add(unit: Int, nanoseconds: UInt64, share: Float, eventsTaken: Int, eventsSent: Int) {
    let first = words + (2 &+ 4 &* unit)
    first[0].wrappingAdd(Int(truncatingIfNeeded: nanoseconds), ordering: .relaxed)
    raise(first + 1, to: share)
    if eventsTaken != 0 { first[2].wrappingAdd(eventsTaken, ordering: .relaxed) }
    if eventsSent != 0 { first[3].wrappingAdd(eventsSent, ordering: .relaxed) }
  }

  /// - Parameter peak: a magnitude, or NaN.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func add(output: Int, peak: Float) { raise(words + (2 &+ 4 &* unitCount &+ output), to: peak) }

  /// A cycle has been measured.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func add(frames: Int) { words[1].wrappingAdd(frames, ordering: .releasing) }

  @_noLocks @_noAllocation
  private func raise(_ word: UnsafeMutablePointer<Atomic<Int>>, to number: Float) {
    let bits = Int(truncatingIfNeeded: number.bitPattern)
    // One thread writes; a take in between is as if it had been before, or has had the greater one.
    if bits > word.pointee.load(ordering: .relaxed) {
      word.pointee.store(bits, ordering: .relaxed)
    }
  }

  /// What has been measured since it was taken last.
  /// - Thread: [control], one at a time. - Complexity: O(units + outputs)
  public func take() -> ScheduleMeasurement {
    let frames = words[1].exchange(0, ordering: .acquiring)
    func takeNumber(_ word: Int) -> Int { words[word].exchange(0, ordering: .relaxed) }
    func takeFloat(_ word: Int) -> Float {
      Float(bitPattern: UInt32(truncatingIfNeeded: takeNumber(word)))
    }
    return ScheduleMeasurement(
      frames: frames,
      units: (0..<unitCount).map { unit in
        let first = 2 + 4 * unit
        return ScheduleMeasurement.Unit(
          nanoseconds: takeNumber(first), worstShare: takeFloat(first + 1),
          eventsTaken: takeNumber(first + 2), eventsSent: takeNumber(first + 3))
      }, peaks: (0..<outputCount).map { takeFloat(2 + 4 * unitCount + $0) })
  }
}

/// What a schedule has measured in some cycles.
public struct ScheduleMeasurement: Sendable, Equatable {
  public struct Unit: Sendable, Equatable {
    /// The time that it took in all cycles, with that of what brings its input.
    public var nanoseconds = 0
    /// The greatest part of one cycle's time that it took.
    public var worstShare: Float = 0
    /// Events that came from outside the unit, of MIDI and of parameters.
    public var eventsTaken = 0
    /// MIDI events that it sent.
    public var eventsSent = 0

    public init(
      nanoseconds: Int = 0, worstShare: Float = 0, eventsTaken: Int = 0, eventsSent: Int = 0
    ) {
      self.nanoseconds = nanoseconds
      self.worstShare = worstShare
      self.eventsTaken = eventsTaken
      self.eventsSent = eventsSent
    }
  }

  /// Of all cycles together.
  public var frames: Int
  /// In the order of the schedule.
  public var units: [Unit]
  /// The greatest magnitude at each external output, NaN where there was one.
  public var peaks: [Float]

  public init(frames: Int, units: [Unit], peaks: [Float]) {
    self.frames = frames
    self.units = units
    self.peaks = peaks
  }

  /// Adds what the same schedule has measured later.
  public mutating func add(_ later: ScheduleMeasurement) {
    frames += later.frames
    for (index, unit) in later.units.enumerated() {
      units[index].nanoseconds += unit.nanoseconds
      units[index].worstShare = max(units[index].worstShare, unit.worstShare)
      units[index].eventsTaken += unit.eventsTaken
      units[index].eventsSent += unit.eventsSent
    }
    for (index, peak) in later.peaks.enumerated() {
      // No comparison holds for NaN, which stays.
      if !(peak <= peaks[index]) && !peaks[index].isNaN { peaks[index] = peak }
    }
  }
}
