// What a graph compiles to for the render thread.

import Realtime
import Synchronization
import UnitRender

/// A unit of a schedule and where its channels are: first all input channels, then all output
/// channels, bus by bus.
struct ScheduledUnit: BitwiseCopyable {
  let hosted: HostedUnit
  let firstBinding: Int
  /// Where the backend puts MIDI from outside: the unit's own list, or one that waits.
  var portMIDI: RenderEventList
  let portMIDIWaits: Bool
  /// The outermost of the ways of its events into a chain, -1 where it is in none.
  let outerCrossing: Int
  /// How many MIDI events the unit had sent in this cycle before the slice.
  var sentBeforeSlice = 0
  /// How many events had come in this cycle when it began to render a slice, and when it had.
  var eventsBeforeSlice = 0
  var eventsAfterSlice = 0
  /// What was measured in this cycle.
  var nanoseconds: UInt64 = 0
  var eventsTaken = 0
}

/// What of delays outlives schedules: memory that belongs to who made it.
package struct ScheduleDelays {
  /// One for each channel of a connection that waits.
  package var lines: [AlignmentDelay] = []
  /// One for each connection whose events wait.
  package var queues: [DelayedEvents] = []
  /// Where MIDI from outside comes in, for units for which it waits.
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
  ///   - units: the units by number.
  ///   - bindings: for each unit, where its input channels and then its output channels are.
  ///   - poolCount: how many pool buffers there are.
  ///   - edges: what each MIDI edge has begun and not ended; the memory outlives the schedule.
  ///   - delays: what waits for slower paths, likewise.
  ///   - chains: what feeds time effects, likewise.
  ///   - branches: which of the steps do not need each other.
  ///   - helper: the thread that may render branches beside the render thread; it outlives the
  ///     schedule.
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

  /// The schedule that `pointer` names.
  @_noLocks @_noAllocation
  public init(_ pointer: UnsafeMutableRawPointer) {
    storage = pointer.assumingMemoryBound(to: ScheduleStorage.self)
  }

  /// The word by which a schedule crosses to the render thread.
  public var pointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(storage) }

  /// Frees the schedule; the hosted units belong to who made them.
  /// - Thread: [control], once no render thread uses it.
  public func deallocate() {
    storage.pointee.deallocate()
    storage.deallocate()
  }

  /// Whether all that comes has come, and all that goes has gone and ended: another schedule
  /// without it may follow.
  /// - Thread: [any]
  public var isSettled: Bool {
    @_noLocks @_noAllocation get {
      storage.pointee.settled.pointee.load(ordering: .acquiring)
    }
  }

  /// In hertz.
  package var sampleRate: Double { @_noLocks @_noAllocation get { storage.pointee.sampleRate } }

  public var unitCount: Int { @_noLocks @_noAllocation get { storage.pointee.unitCount } }

  @_noLocks @_noAllocation
  public func unit(_ index: Int) -> HostedUnit { storage.pointee.units[index].hosted }

  /// Where MIDI that comes from outside for a unit is inserted, between `begin` and `render`.
  @_noLocks @_noAllocation
  public func midiInput(_ index: Int) -> RenderEventList { storage.pointee.units[index].portMIDI }

  /// Tells where external input `index` is in this cycle; nil is silence.
  @_noLocks @_noAllocation
  public func setExternalInput(_ index: Int, _ samples: UnsafeMutablePointer<Float>?) {
    storage.pointee.externalInputs[index] = samples
  }

  /// Tells where external output `index` is in this cycle; nil drops it, but units inside that are
  /// connected to it still hear it.
  @_noLocks @_noAllocation
  public func setExternalOutput(_ index: Int, _ samples: UnsafeMutablePointer<Float>?) {
    storage.pointee.externalOutputs[index] = samples
  }
}

extension Schedule {
  /// A schedule without units, for which backends write silence.
  /// - Thread: [control]
  public static func silence() -> Schedule {
    Schedule(
      units: [], bindings: [], steps: [], poolCount: 0, edges: [], externalInputs: 0,
      externalOutputs: 0, sliceFrames: 1, sampleRate: 48000)
  }
}
