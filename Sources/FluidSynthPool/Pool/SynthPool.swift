// The synths that play one SoundFont together, so that each note begins on its own frame.

import Realtime

/// A pool of synths that share a SoundFont. It is in separate memory, reached by a pointer.
///
/// FluidSynth begins notes at its block boundaries, every 64 frames. A synth on which nothing
/// sounds is not rendered, so that its next block can begin on any frame. A note takes a synth with
/// a block that begins on the note's frame, or else a silent one. Only if there is neither does the
/// note wait, up to 63 frames, for the block that begins first.
///
/// The first synth receives every message. It is the only one that plays if all notes are on one
/// grid of 64 frames. The others receive messages while they sound, and catch up before a note.
package struct SynthPool: BitwiseCopyable {
  /// The largest number of voices that may sound at once.
  package static var maximumPolyphony: Int {
    @_noLocks @_noAllocation get { Synth.maximumPolyphony }
  }
  package static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }
  /// The number of voices that the synths after the first are made for.
  static var furtherPolyphony: Int { @_noLocks @_noAllocation get { 64 } }

  let synths: UnsafeMutablePointer<Synth>
  let count: Int
  /// The number of voices that may sound at once on all synths.
  let polyphony: Int
  /// The synths that hold a key of a channel, a bit for each.
  let holders: UnsafeMutablePointer<UInt64>
  let messages = ChannelMessages()
  /// The note-ons that wait for their note-offs.
  package let held = NoteCounts()
  /// The held keys of channels that play one note at a time; of the others the last note's.
  let monoKeys = MonoKeys()
  /// The index of the stack in the live set that it plays; −1 for none.
  package var stack = -1
  /// Whether it is kept ready for the entries of its stack, and replaces the pool kept before.
  package var staysAtHand = false
  /// The entry whose selection it was prepared for; −1 for none.
  package var entry = -1
  /// A factor before the gain, so that an entry's gain does not change notes ringing on other
  /// pools.
  package var level: Float = 1
  /// The number of the load that it was prepared for.
  package var loadNumber = 0
  /// Another pool that is published, or given back, together with this one.
  package var next: UnsafeMutablePointer<SynthPool>?
  /// The number of the note-on that struck a key of a channel last.
  let strikes: UnsafeMutablePointer<UInt32>
  var strikeCount: UInt32 = 0
  /// `strikeCount` at the last block boundary (64 frames).
  var strikesBefore: UInt32 = 0
  /// The largest number of voices that a note has had, at least 8.
  var largestNote = 8
  /// The notes to end first when voices are short.
  let steals = StealList()
  /// The index of the synth that `refreshNext` has examined last.
  var nextToRefresh = 0
  /// The synth of each channel's last note; −1 before the first.
  var lastSynths = InlineArray<16, Int>(repeating: -1)
  /// The key from which the next note of a channel glides (controller 84); −1 for none.
  var portamentoKeys = InlineArray<16, Int>(repeating: -1)

  /// Whether the synths output each channel separately, to be sent to the effects.
  package let isSeparated: Bool
  /// The sends of each channel of each synth to the effects.
  let sends: UnsafeMutablePointer<ChannelSend>
  /// The channels that may sound on each synth, a bit for each.
  let playing: UnsafeMutablePointer<UInt16>
  /// The channels in the current block of each synth, a bit for each.
  let rendered: UnsafeMutablePointer<UInt16>
  /// The frames that each synth has rendered of its current block beyond the last call, left and
  /// right; for each channel if they are separated.
  let remainders: UnsafeMutablePointer<Float>

  /// - Thread: [worker]
  init(_ members: [Synth], polyphony: Int, isSeparated: Bool) {
    synths = .allocate(capacity: members.count)
    count = members.count
    for (index, member) in members.enumerated() {
      (synths + index).initialize(to: member)
      // The others catch up before their first note.
      synths[index].isStale = index > 0
    }
    self.polyphony = polyphony
    self.isSeparated = isSeparated
    sends = .allocate(capacity: 16 * members.count)
    sends.initialize(repeating: ChannelSend(), count: 16 * members.count)
    playing = .allocate(capacity: members.count)
    playing.initialize(repeating: 0, count: members.count)
    rendered = .allocate(capacity: members.count)
    rendered.initialize(repeating: 0, count: members.count)
    let remainderCount = (isSeparated ? 32 : 2) * Synth.blockFrames * members.count
    remainders = .allocate(capacity: remainderCount)
    remainders.initialize(repeating: 0, count: remainderCount)
    holders = .allocate(capacity: 16 * 128)
    holders.initialize(repeating: 0, count: 16 * 128)
    strikes = .allocate(capacity: 16 * 128)
    strikes.initialize(repeating: 0, count: 16 * 128)
  }

  /// - Thread: [control], after the last use of the pool.
  func deallocate() {
    synths.deallocate()
    holders.deallocate()
    messages.deallocate()
    held.deallocate()
    monoKeys.deallocate()
    strikes.deallocate()
    steals.deallocate()
    sends.deallocate()
    playing.deallocate()
    rendered.deallocate()
    remainders.deallocate()
  }

  /// The synth that takes in every message.
  var first: UnsafeMutablePointer<Synth> { @_noLocks @_noAllocation get { synths } }

  package var isSounding: Bool {
    @_noLocks @_noAllocation get {
      var index = 0
      while index < count {
        if synths[index].isSounding { return true }
        index &+= 1
      }
      return false
    }
  }

  /// Renders the sum of all synths into the scratch memory's `left` and `right`. They are added in
  /// their order, so that no sample depends on how the calls are split.
  ///
  /// - Returns: the number of voices that sound after it.
  @_noLocks @_noAllocation
  package func mix(count frames: Int, into scratch: SamplerScratch) -> Int {
    var voices = 0
    // A synth's last block may end after the call.
    Samples.clear(scratch.left, count: frames &+ Synth.blockFrames)
    Samples.clear(scratch.right, count: frames &+ Synth.blockFrames)
    var index = 0
    while index < count {
      if synths[index].isSounding {
        voices &+= synths[index].add(
          to: scratch.left, scratch.right, count: frames,
          remainder: remainders + 2 &* Synth.blockFrames &* index)
      }
      index &+= 1
    }
    return voices
  }

  /// Whether a synth has missed a reset or many messages; catching up takes about a tenth of a
  /// millisecond.
  @_noLocks @_noAllocation
  func isBehind(_ index: Int) -> Bool {
    synths[index].isStale
      || messages.count &- synths[index].heardCount > ChannelMessages.bearableCount
  }

  /// Whether `refreshNext` has anything to do.
  package var needsRefreshing: Bool {
    @_noLocks @_noAllocation get {
      var index = 1
      while index < count {
        if !synths[index].isSounding && isBehind(index) { return true }
        index &+= 1
      }
      return false
    }
  }

  /// Lets one synth that has missed a reset or many messages catch up, once in 64 frames.
  @_noLocks @_noAllocation
  package mutating func refreshNext(
    _ channels: ChannelStates, _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    var attempts = 0
    while attempts < count {
      attempts &+= 1
      nextToRefresh = nextToRefresh &+ 1 < count ? nextToRefresh &+ 1 : 0
      if nextToRefresh > 0 && !synths[nextToRefresh].isSounding && isBehind(nextToRefresh) {
        return refresh(nextToRefresh, channels, settings, scratch)
      }
    }
  }

  /// Whether a note has to wait, because every voice of every synth sounds.
  package var isFull: Bool {
    @_noLocks @_noAllocation get {
      var index = 0
      while index < count {
        if !synths[index].isSounding || hasRoom(synths[index]) { return false }
        index &+= 1
      }
      return true
    }
  }

  /// The number of voices of a synth that notes leave free for ending others.
  private static var voicesForChokes: Int {
    @_noLocks @_noAllocation get { 2 &* Synth.chokesOfNote }
  }

  /// Whether a synth has voices for any note, and room in its queue.
  @_noLocks @_noAllocation
  func hasRoom(_ synth: Synth) -> Bool {
    if synth.isCrowded { return false }
    return Vouched.voiceCount(synth.synth) &+ largestNote &+ Self.voicesForChokes
      <= synth.voiceCapacity
  }

  /// Whether events have to wait because the queue of a synth is half full.
  package var isCrowded: Bool {
    @_noLocks @_noAllocation get {
      var index = 0
      while index < count {
        if synths[index].isSounding && synths[index].isCrowded { return true }
        index &+= 1
      }
      return false
    }
  }

  /// Brings a synth to the current state of the channels and the settings.
  @_noLocks @_noAllocation
  func refresh(
    _ index: Int, _ channels: ChannelStates, _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    let synth = synths + index
    let missed = messages.count &- synth.pointee.heardCount
    if synth.pointee.isStale || missed > ChannelMessages.capacity {
      scratch.work.add(SamplerWork.refresh)
      synth.pointee.renew(channels)
      synth.pointee.copyGenerators(from: first.pointee)
      // A reset adds to the queue too.
      synth.pointee.skipBlock(scratch)
      synth.pointee.isStale = false
      synth.pointee.lacksSettings = true
      synth.pointee.heardCount = messages.count
    } else if missed > 0 {
      catchUp(index, scratch)
    }
    if synth.pointee.lacksSettings {
      synth.pointee.change(settings, isPitchAlone: false, scratch)
      synth.pointee.lacksSettings = false
    }
  }
}
