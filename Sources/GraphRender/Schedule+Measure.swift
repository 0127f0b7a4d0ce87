// Measuring a cycle.

import Realtime
import UnitRender

extension Schedule {
  /// What the schedule measures while somebody looks.
  /// - Thread: [any], while the schedule is there.
  public var meters: ScheduleMeters { storage.pointee.meters }

  /// Notes what a unit took, which has rendered a slice just now.
  ///
  /// - Parameter start: when what came before it had ended, so that what brings the unit's input
  ///   counts as the unit's.
  /// - Returns: the time now; both in nanoseconds.
  @_noLocks @_noAllocation
  func measure(unit index: Int, since start: UInt64) -> UInt64 {
    let now = Vouched.nanoseconds()
    let unit = storage.pointee.units + index
    let count = unit.pointee.hosted.events.count
    // What the unit's own MIDI chain adds comes between the two.
    unit.pointee.eventsTaken &+=
      unit.pointee.eventsBeforeSlice &- unit.pointee.eventsAfterSlice
    unit.pointee.eventsAfterSlice = count
    unit.pointee.nanoseconds &+= now &- start
    return now
  }

  /// Hands over what a cycle measured.
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
