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
/// `MIDIStage.kindsOfInterest`. Of stages that change no note the first remembers the notes for all: see
/// `shareMemories`.
struct MIDIStageRun: BitwiseCopyable {
  private static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }

  let places: UnsafeMutablePointer<MIDIChainPlace>
  /// The place in the chain of the run's first stage.
  let first: Int
  let count: Int
  let isTimed: Bool
  let addresses: MIDIStageAddresses
  /// For each kind of message the stages, as bits, that have to see it; all for what is no message.
  var interested = InlineArray<16, UInt64>(repeating: 0)
  /// The stages, as bits, that something may have to pass around.
  var bypassed: UInt64 = 0
  /// The stages, as bits, that `passNote` knows nothing of or that are bypassed.
  var detours: UInt64 = 0
  /// The stages, as bits, that remember notes.
  let remembering: UInt64
  /// The stages, as bits, that have to see more where something found no room.
  let fanning: UInt64
  /// Those of the former that change no note, as they are set.
  var neutral: UInt64 = 0
  /// Those of these for which the nearest stage before them with a memory of its own remembers the notes.
  var sharing: UInt64 = 0
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
        while next < end && !places[next].stage.isTimed { next &+= 1 }
      }
      (runs + runCount).initialize(to: MIDIStageRun(places, first..<next, addresses))
      runCount &+= 1
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
    remembering = range.reduce(0) { bits, index in
      bits | (places[index].stage.heldNotes != nil ? 1 << UInt64(index - range.lowerBound) : 0)
    }
    fanning = range.reduce(0) { bits, index in
      bits | (places[index].stage.fansOut ? 1 << UInt64(index - range.lowerBound) : 0)
    }
    noteInterests()
  }

  /// Sends the events of a call through the stages.
  /// - Parameters:
  ///   - lines: musical time before them.
  ///   - held: takes in what comes; nil for nothing.
  ///   - sounding: takes in what goes out; nil for nothing.
  /// - Returns: musical time behind them.
  @_noLocks @_noAllocation
  mutating func process(
    _ events: RenderEventList, during call: MIDIChainCall, _ lines: BeatLines,
    held: UnsafeMutablePointer<NoteLedger>?, sounding: NoteSink?
  ) -> BeatLines {
    if isTimed { places[0].stage.begin(call, lines) }
    let owing = separateStagesThatOwe()
    if owing == 0 { shareMemories() }
    // What a stage owes from earlier calls it puts before all that has come through the stages before it.
    var from = 0
    var rest = owing & ~1
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest &- 1
      process(
        events, before: call.end, from: from, to: index, held: from == 0 ? held : nil,
        sounding: nil)
      from = index
    }
    process(
      events, before: call.end, from: from, to: count, held: from == 0 ? held : nil,
      sounding: sounding)
    return isTimed ? places[0].stage.lines(behind: lines, to: call.end) : lines
  }

  /// Separates the stages that owe something from earlier calls from those before them, which do not see it.
  /// - Returns: these stages, as bits.
  @_noLocks @_noAllocation
  private mutating func separateStagesThatOwe() -> UInt64 {
    var owing: UInt64 = 0
    var index = 0
    while index < count {
      if places[index].owes {
        owing |= 1 << UInt64(index)
        separate(index)
      }
      index &+= 1
    }
    return owing
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
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func noteInterest(_ index: Int) {
    let bit = UInt64(1) << UInt64(index)
    let needsBypass = places[index].needsBypass
    bypassed = needsBypass ? bypassed | bit : bypassed & ~bit
    detours = needsBypass || !places[index].stage.takesNotes ? detours | bit : detours & ~bit
    let isNeutral = remembering & bit != 0 && places[index].passesNotes
    neutral = isNeutral ? neutral | bit : neutral & ~bit
    if remembering & bit != 0 && !isNeutral { separate(index) }
    noteKinds(index)
  }

  /// Notes which kinds of message a stage has to see.
  @_noLocks @_noAllocation
  mutating func noteKinds(_ index: Int) {
    let bit = UInt64(1) << UInt64(index)
    if !places[index].noteKindsOfInterest(sharesNotes: sharing & bit != 0) { return }
    var kind = 0
    while kind < 16 {
      let isOfInterest = places[index].kindsOfInterest.has(bit: kind)
      interested[kind] = isOfInterest ? interested[kind] | bit : interested[kind] & ~bit
      kind &+= 1
    }
  }
}
