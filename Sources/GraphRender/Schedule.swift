// A compiled graph on the render thread.

import Realtime
import Synchronization
import UnitRender

/// A unit of a schedule and its channel bindings: first all input channels, then all output
/// channels, bus by bus.
struct ScheduledUnit: BitwiseCopyable {
  let hosted: HostedUnit
  let firstBinding: Int
  let firstOutputBinding: Int
  let bindingsEnd: Int
  /// Whether its input is pulled, in pieces of its own, before it renders.
  let pulls: Bool
  /// The list for the unit's port MIDI: the unit's own list, or a separate one if it is delayed.
  var portMIDI: RenderEventList
  let portMIDIWaits: Bool
  /// The outermost crossing of its events into a chain; -1 if it is in no chain.
  let outerCrossing: Int
  /// The number of MIDI events the unit sent in this cycle before the slice.
  var sentBeforeSlice = 0
  /// The numbers of events received in this cycle before and after rendering the slice.
  var eventsBeforeSlice = 0
  var eventsAfterSlice = 0
  /// Measurements of this cycle.
  var nanoseconds: UInt64 = 0
  var eventsTaken = 0
}

/// Delays that outlive schedules. The memory belongs to the graphs that made them.
package struct ScheduleDelays {
  /// One line for each channel of a delayed connection.
  package var lines: [AlignmentDelay] = []
  /// One queue for each connection with delayed events.
  package var queues: [DelayedEvents] = []
  /// The lists for port MIDI, by unit whose port MIDI is delayed.
  package var portMIDI: [Int: RenderEventList] = [:]

  package init() {}
}

/// A flat array of steps with all memory that they need. Built and freed by the control side; used
/// by one render thread at a time.
///
/// A cycle is `begin`, then MIDI inserted into the units' `midiInput` and external buffers set,
/// then `render`, then `end`. The value is a handle: copies name the same schedule.
public struct Schedule: @unchecked Sendable, BitwiseCopyable {
  let storage: UnsafeMutablePointer<ScheduleStorage>

  /// - Parameters:
  ///   - units: the units by index.
  ///   - bindings: by unit, the buffers of its input channels and then of its output channels.
  ///   - poolCount: the number of pool buffers.
  ///   - edges: the held notes of each MIDI edge; the memory outlives the schedule.
  ///   - delays: the delay lines and queues; the memory outlives the schedule.
  ///   - chains: the effect chains; the memory outlives the schedule.
  ///   - branches: the steps that can be rendered in parallel.
  ///   - helper: the thread that may render branches in parallel with the render thread; it
  ///     outlives the schedule.
  ///   - sliceFrames: the most frames that units render in one call; longer cycles are sliced.
  ///   - sampleRate: in hertz.
  /// - Thread: [control]
  package init(
    units: [HostedUnit], bindings: [[BufferReference]], steps: [ScheduleStep], poolCount: Int,
    edges: [HeldKeys], delays: ScheduleDelays = ScheduleDelays(),
    chains: ScheduleChains = ScheduleChains(), branches: ScheduleBranches = ScheduleBranches(),
    helper: RenderHelper? = nil, externalInputs: Int, externalOutputs: Int,
    sliceFrames: Int, sampleRate: Double
  ) {
    storage = .allocate(capacity: 1)
    storage.initialize(
      to: ScheduleStorage(
        units: units, bindings: bindings, steps: steps, poolCount: poolCount, edges: edges,
        delays: delays, chains: chains, branches: branches, helper: helper,
        externalInputs: externalInputs,
        externalOutputs: externalOutputs,
        sliceFrames: sliceFrames, sampleRate: sampleRate))
  }

  /// Makes a handle of the schedule that `pointer` points to.
  @_noLocks @_noAllocation
  public init(_ pointer: UnsafeMutableRawPointer) {
    storage = pointer.assumingMemoryBound(to: ScheduleStorage.self)
  }

  /// The pointer by which a schedule is published to the render thread.
  public var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(storage) }

  /// Frees the schedule, but not the hosted units.
  /// - Thread: [control], once no render thread uses it.
  public func deallocate() {
    storage.pointee.deallocate()
    storage.deallocate()
  }

  /// Whether all fades have ended and removed connections are released, so that a schedule without
  /// them may follow.
  /// - Thread: [any]
  public var isSettled: Bool {
    @_noLocks @_noAllocation get {
      storage.pointee.settled.pointee.load(ordering: .acquiring)
    }
  }

  /// The sample rate in hertz.
  package var sampleRate: Double { @_noLocks @_noAllocation get { storage.pointee.sampleRate } }

  public var unitCount: Int { @_noLocks @_noAllocation get { storage.pointee.unitCount } }

  @_noLocks @_noAllocation
  public func unit(_ index: Int) -> HostedUnit { storage.pointee.units[index].hosted }

  /// Returns the list into which port MIDI for a unit is inserted, between `begin` and `render`.
  @_noLocks @_noAllocation
  public func midiInput(_ index: Int) -> RenderEventList { storage.pointee.units[index].portMIDI }

  /// Sets the samples of external input `index` for this cycle; nil is silence.
  @_noLocks @_noAllocation
  public func setExternalInput(_ index: Int, _ samples: UnsafeMutablePointer<Float>?) {
    storage.pointee.externalInputs[index] = samples
  }

  /// Sets the samples of external output `index` for this cycle; nil drops them. Units inside the
  /// graph that are connected to it still receive them.
  @_noLocks @_noAllocation
  public func setExternalOutput(_ index: Int, _ samples: UnsafeMutablePointer<Float>?) {
    storage.pointee.externalOutputs[index] = samples
  }
}

extension Schedule {
  /// Makes a schedule without units, for which backends write silence.
  /// - Thread: [control]
  public static func silence() -> Schedule {
    Schedule(
      units: [], bindings: [], steps: [], poolCount: 0, edges: [], externalInputs: 0,
      externalOutputs: 0, sliceFrames: 1, sampleRate: 48000)
  }
}
