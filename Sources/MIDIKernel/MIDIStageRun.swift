// Stages that follow each other in a chain, and what each of them has to see.

import Realtime
import UnitRender

/// Up to 64 stages of a chain that follow each other; or one alone that time has to pass for.
///
/// An event goes through all stages before the next event goes through any. What a stage puts in
/// behind an event goes through the stages behind it, at once. So each stage sees what it would see if all
/// events had gone through the stage before it first.
///
/// A stage sees the kinds of messages alone that matter to it as it is set at that moment: see
/// `MIDIStage.kindsOfInterest`.
struct MIDIStageRun: BitwiseCopyable {
  private static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }

  let places: UnsafeMutablePointer<MIDIChainPlace>
  /// The place in the chain of the run's first stage.
  let first: Int
  let count: Int
  let isTimed: Bool
  let addresses: MIDIStageAddresses
  /// For each kind of message the stages, as bits, that have to see it.
  var interested = InlineArray<16, UInt64>(repeating: 0)
  /// The stages, as bits, that something may have to pass around.
  var bypassed: UInt64 = 0
  /// The stages, as bits, that `passNote` knows nothing of or that are bypassed.
  var detours: UInt64 = 0
  /// How many events the list had found no room for when the interests were noted.
  var droppedCount: UInt32 = 0

  /// Divides the stages of a chain into runs.
  /// - Parameter runs: room for as many as there are stages.
  /// - Returns: how many there are.
  /// - Thread: [control]
  static func initialize(
    _ runs: UnsafeMutablePointer<MIDIStageRun>, of places: UnsafeMutablePointer<MIDIChainPlace>,
    count: Int, _ addresses: MIDIStageAddresses
  ) -> Int {
    var runCount = 0
    var first = 0
    while first < count {
      var next = first + 1
      if !places[first].stage.isTimed {
        let end = min(first + maximumCount, count)
        while next < end && !places[next].stage.isTimed { next += 1 }
      }
      (runs + runCount).initialize(to: MIDIStageRun(places, first..<next, addresses))
      runCount += 1
      first = next
    }
    return runCount
  }

  private init(
    _ places: UnsafeMutablePointer<MIDIChainPlace>, _ range: Range<Int>,
    _ addresses: MIDIStageAddresses
  ) {
    self.places = places + range.lowerBound
    first = range.lowerBound
    count = range.count
    isTimed = places[range.lowerBound].stage.isTimed
    self.addresses = addresses
    noteInterests()
  }

  /// Sends the events of a call through the stages.
  /// - Parameter lines: musical time before them.
  /// - Returns: musical time behind them.
  @_noLocks @_noAllocation
  mutating func process(
    _ events: RenderEventList, during call: MIDIChainCall, _ lines: BeatLines
  ) -> BeatLines {
    if isTimed { places[0].stage.begin(call, lines) }
    // What a stage owes from earlier calls it puts before all that has come through the stages before it.
    var from = 0
    var index = 1
    while index < count {
      if places[index].owes {
        process(events, before: call.end, from: from, to: index)
        from = index
      }
      index += 1
    }
    process(events, before: call.end, from: from, to: count)
    return isTimed ? places[0].stage.lines(behind: lines, to: call.end) : lines
  }

  /// Whether a place of the chain is in this run.
  @_noLocks @_noAllocation
  func has(place: Int) -> Bool { place >= first && place < first + count }

  /// Sets a parameter of the stage at a place of the chain, which is in this run.
  @_noLocks @_noAllocation
  mutating func setParameter(_ address: UInt64, of place: Int, to value: Float) {
    places[place - first].setParameter(Int(truncatingIfNeeded: address & 0xFF), to: value)
    noteInterest(place - first)
  }

  /// Notes what the stages have to see. It may change with a setting, a bypass, and where something finds
  /// no room in a list of events.
  @_noLocks @_noAllocation
  mutating func noteInterests() {
    var index = 0
    while index < count {
      noteInterest(index)
      index += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func noteInterest(_ index: Int) {
    let bit = UInt64(1) << UInt64(index)
    let needsBypass = places[index].needsBypass
    bypassed = needsBypass ? bypassed | bit : bypassed & ~bit
    detours = needsBypass || !places[index].stage.takesNotes ? detours | bit : detours & ~bit
    if !places[index].noteKindsOfInterest() { return }
    var kind = 0
    while kind < 16 {
      let isOfInterest = places[index].kindsOfInterest.has(bit: kind)
      interested[kind] = isOfInterest ? interested[kind] | bit : interested[kind] & ~bit
      kind += 1
    }
  }
}
