// Measurements of a cycle.

import Realtime
import UnitRender

extension Schedule {
  /// The schedule's meters.
  /// - Thread: [any], while the schedule exists.
  public var meters: ScheduleMeters { storage.pointee.meters }

  /// Adds the peaks of a unit's inputs, which have been brought and not yet been read.
  ///
  /// - Parameter offset: the first frame within the cycle.
  @_noLocks @_noAllocation
  func measureInputs(of index: Int, offset: Int, frameCount: Int) {
    let unit = storage.pointee.units + index
    measurePeaks(
      from: unit.pointee.firstBinding, to: unit.pointee.firstOutputBinding, offset: offset,
      frameCount: frameCount)
  }

  /// Adds the peaks and the time of a unit that has just rendered a slice.
  ///
  /// - Parameters:
  ///   - start: when the previous unit had rendered, so that the steps that bring this unit's input
  ///     count as its time.
  ///   - offset: the first frame within the cycle.
  /// - Returns: the current time; both in nanoseconds.
  @_noLocks @_noAllocation
  func measure(unit index: Int, since start: UInt64, offset: Int, frameCount: Int) -> UInt64 {
    let unit = storage.pointee.units + index
    measurePeaks(
      from: unit.pointee.firstOutputBinding, to: unit.pointee.bindingsEnd, offset: offset,
      frameCount: frameCount)
    let now = Vouched.nanoseconds()
    let count = unit.pointee.hosted.events.count
    // Events added by the unit's own MIDI chain lie between the two counts.
    unit.pointee.eventsTaken &+=
      unit.pointee.eventsBeforeSlice &- unit.pointee.eventsAfterSlice
    unit.pointee.eventsAfterSlice = count
    unit.pointee.nanoseconds &+= now &- start
    return now
  }

  @_noLocks @_noAllocation
  private func measurePeaks(from first: Int, to end: Int, offset: Int, frameCount: Int) {
    var binding = first
    while binding < end {
      let samples = storage.pointee.samples(storage.pointee.bindings[binding], offset: offset)
      storage.pointee.meters.add(
        channel: binding, peak: Samples.peak(samples, count: frameCount))
      binding &+= 1
    }
  }

  /// Publishes the measurements of a cycle.
  @_noLocks @_noAllocation
  func publishMeasures(_ frameCount: Int) {
    let meters = storage.pointee.meters
    let cycleNanoseconds = Float(frameCount) * 1e9 / Float(storage.pointee.sampleRate)
    var index = 0
    while index < storage.pointee.unitCount {
      let unit = storage.pointee.units + index
      meters.add(
        unit: index, nanoseconds: unit.pointee.nanoseconds,
        share: Float(unit.pointee.nanoseconds) / cycleNanoseconds,
        eventsTaken: unit.pointee.eventsTaken,
        eventsSent: unit.pointee.hosted.midiOutput.count)
      unit.pointee.nanoseconds = 0
      unit.pointee.eventsTaken = 0
      index &+= 1
    }
    meters.add(frames: frameCount)
  }
}
