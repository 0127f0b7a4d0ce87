// Meters of a schedule.

import Realtime
import Synchronization

/// Meters of the units' time and events, and of the peaks of their channels. The render side adds
/// to sums and maxima; the control side takes them.
///
/// Nothing is measured, and nothing costs time, until `isOn`. The value is a handle: copies name
/// the same memory, which belongs to the schedule.
public struct ScheduleMeters: @unchecked Sendable, BitwiseCopyable {
  /// One word for `isOn`, one for the frames, four for each unit, one for each channel. Floats are
  /// stored as bits, which sort like the numbers from 0 up.
  private let words: UnsafeMutablePointer<Atomic<Int>>
  private let unitCount: Int
  /// The first channel of each unit, and the number of all channels.
  private let firstChannels: UnsafeMutablePointer<Int>

  private var wordCount: Int { 2 + 4 * unitCount + firstChannels[unitCount] }

  /// - Parameter channels: the number of channels of each unit, inputs and outputs.
  init(channels: [Int]) {
    unitCount = channels.count
    firstChannels = .allocate(capacity: channels.count + 1)
    firstChannels.initialize(to: 0)
    for (unit, count) in channels.enumerated() {
      (firstChannels + unit + 1).initialize(to: firstChannels[unit] + count)
    }
    let wordCount = 2 + 4 * channels.count + firstChannels[channels.count]
    words = .allocate(capacity: wordCount)
    for index in 0..<wordCount { (words + index).initialize(to: Atomic(0)) }
  }

  func deallocate() {
    words.deinitialize(count: wordCount)
    words.deallocate()
    firstChannels.deallocate()
  }

  /// Whether cycles are measured.
  /// - Thread: [any]
  public var isOn: Bool {
    @_noLocks @_noAllocation get { words[0].load(ordering: .relaxed) != 0 }
    nonmutating set { words[0].store(newValue ? 1 : 0, ordering: .relaxed) }
  }

  /// Adds the measurements of a unit in a cycle.
  /// - Parameter share: the part of the cycle's duration that it took, from 0 up.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func add(unit: Int, nanoseconds: UInt64, share: Float, eventsTaken: Int, eventsSent: Int) {
    let first = words + (2 &+ 4 &* unit)
    first[0].wrappingAdd(Int(truncatingIfNeeded: nanoseconds), ordering: .relaxed)
    raise(first + 1, to: share)
    if eventsTaken != 0 { first[2].wrappingAdd(eventsTaken, ordering: .relaxed) }
    if eventsSent != 0 { first[3].wrappingAdd(eventsSent, ordering: .relaxed) }
  }

  /// - Parameters:
  ///   - channel: counted over all units, in the order of their bindings.
  ///   - peak: a magnitude, or NaN.
  /// - Thread: [render], or its helper.
  @_noLocks @_noAllocation
  func add(channel: Int, peak: Float) { raise(words + (2 &+ 4 &* unitCount &+ channel), to: peak) }

  /// Adds the frames of a measured cycle.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  func add(frames: Int) { words[1].wrappingAdd(frames, ordering: .releasing) }

  @_noLocks @_noAllocation
  private func raise(_ word: UnsafeMutablePointer<Atomic<Int>>, to number: Float) {
    let bits = Int(truncatingIfNeeded: number.bitPattern)
    // Only one thread raises; a `take` in between either resets the old value or already takes a
    // greater one.
    if bits > word.pointee.load(ordering: .relaxed) {
      word.pointee.store(bits, ordering: .relaxed)
    }
  }

  /// Returns the measurements since the last call, and resets them.
  /// - Thread: [control], one at a time. - Complexity: O(units + channels)
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
          eventsTaken: takeNumber(first + 2), eventsSent: takeNumber(first + 3),
          peaks: (firstChannels[unit]..<firstChannels[unit + 1]).map {
            takeFloat(2 + 4 * unitCount + $0)
          })
      })
  }
}

/// Measurements of a schedule over some cycles.
public struct ScheduleMeasurement: Sendable, Equatable {
  public struct Unit: Sendable, Equatable {
    /// The time it took in all cycles, including the steps that bring its input.
    public var nanoseconds = 0
    /// The greatest part of one cycle's duration that it took.
    public var worstShare: Float = 0
    /// The number of MIDI and parameter events from outside the unit.
    public var eventsTaken = 0
    /// The number of MIDI events that it sent.
    public var eventsSent = 0
    /// The greatest magnitude of each channel: of the inputs, then of the outputs, bus by bus. NaN
    /// if a sample was NaN.
    public var peaks: [Float] = []

    public init(
      nanoseconds: Int = 0, worstShare: Float = 0, eventsTaken: Int = 0, eventsSent: Int = 0,
      peaks: [Float] = []
    ) {
      self.nanoseconds = nanoseconds
      self.worstShare = worstShare
      self.eventsTaken = eventsTaken
      self.eventsSent = eventsSent
      self.peaks = peaks
    }

    /// Returns the time that it took in percent of the duration of the measured frames.
    ///
    /// - Parameters:
    ///   - frames: the number of measured frames, above 0.
    ///   - sampleRate: in hertz.
    public func load(frames: Int, sampleRate: Double) -> Float {
      Float(100 * Double(nanoseconds) / 1e9 / (Double(frames) / sampleRate))
    }

    /// The greatest part of one cycle's duration in percent.
    public var worstLoad: Float { 100 * worstShare }
  }

  /// The number of frames of all cycles.
  public var frames: Int
  /// The units in the order of the schedule.
  public var units: [Unit]

  public init(frames: Int, units: [Unit]) {
    self.frames = frames
    self.units = units
  }

  /// Adds later measurements of the same schedule.
  public mutating func add(_ later: ScheduleMeasurement) {
    frames += later.frames
    for (index, unit) in later.units.enumerated() {
      units[index].nanoseconds += unit.nanoseconds
      units[index].worstShare = max(units[index].worstShare, unit.worstShare)
      units[index].eventsTaken += unit.eventsTaken
      units[index].eventsSent += unit.eventsSent
      for (channel, peak) in unit.peaks.enumerated() {
        // Comparisons with NaN are false, so NaN stays.
        let own = units[index].peaks[channel]
        if !(peak <= own) && !own.isNaN { units[index].peaks[channel] = peak }
      }
    }
  }
}
