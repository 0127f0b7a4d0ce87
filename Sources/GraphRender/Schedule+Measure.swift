// Measurements of a cycle.

import Realtime
import UnitRender

extension Schedule {
  /// The schedule's meters.
  /// - Thread: [any], while the schedule exists.
  public var meters: ScheduleMeters { storage.pointee.meters }

  /// Adds the time of a unit that has just rendered a slice.
  ///
  /// - Parameter start: when the previous unit had rendered, so that the steps that bring this
  ///   unit's input count as its time.
  /// - Returns: the current time; both in nanoseconds.
  @_noLocks @_noAllocation
  func measure(unit index: Int, since start: UInt64) -> UInt64 {
    let now = Vouched.nanoseconds()
    let unit = storage.pointee.units + index
    let count = unit.pointee.hosted.events.count
    // Events added by the unit's own MIDI chain lie between the two counts.
    unit.pointee.eventsTaken &+=
      unit.pointee.eventsBeforeSlice &- unit.pointee.eventsAfterSlice
    unit.pointee.eventsAfterSlice = count
    unit.pointee.nanoseconds &+= now &- start
    return now
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
    index = 0
    while index < storage.pointee.externalOutputCount {
      if let samples = storage.pointee.externalOutputs[index] {
        meters.add(output: index, peak: Samples.peak(samples, count: frameCount))
      }
      index &+= 1
    }
    meters.add(frames: frameCount)
  }
}
