// The synths that play one SoundFont together, so that each note begins on its own frame.

import Realtime

/// A pool of synths that share a SoundFont. It lives in memory of its own, behind a pointer.
///
/// FluidSynth begins notes at the bounds of its blocks of 64 frames. A synth on which nothing
/// sounds is not rendered, so that its next block can begin on any frame: a note takes a synth
/// whose next block begins on the note's frame, or else one on which nothing sounds. Only when
/// there is neither does the note wait, up to 63 frames, for the block that begins first.
///
/// The first synth takes in every message. It is the only one that plays when all notes lie on one
/// grid of 64 frames. The others take in messages while they sound, and catch up before a note.
package struct SynthPool: BitwiseCopyable {
  /// How many voices sound at once at most.
  package static var maximumPolyphony: Int {
    @_noLocks @_noAllocation get { Synth.maximumPolyphony }
  }
  package static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }
  /// How many voices the synths behind the first are made for.
  static var furtherPolyphony: Int { @_noLocks @_noAllocation get { 64 } }

  let synths: UnsafeMutablePointer<Synth>
  let count: Int
  /// How many voices sound at once on all synths.
  let polyphony: Int
  /// Which synths hold a key of a channel, a bit for each.
  let holders: UnsafeMutablePointer<UInt64>
  let messages = ChannelMessages()
  /// The note-ons that wait for their note-offs.
  package let held = NoteCounts()
  /// The held keys of channels that play one note at a time; of the others the last note's.
  let monoKeys = MonoKeys()
  /// Which of the live set's stacks it plays, −1 for none of them.
  package var stack = -1
  /// Whether it stays at hand for the entries of its stack, in the place of the one before.
  package var staysAtHand = false
  /// The entry that it was prepared for because that was selected, −1 for none.
  package var entry = -1
  /// What it is scaled by before the gain, so that an entry's gain is not for what rings on others.
  package var level: Float = 1
  /// The number of the load that it was prepared for.
  package var loadNumber = 0
  /// Another pool that is published, or given back, together with it.
  package var next: UnsafeMutablePointer<SynthPool>?
  /// The number of the note-on that struck a key of a channel last.
  let strikes: UnsafeMutablePointer<UInt32>
  var strikeCount: UInt32 = 0
  /// `strikeCount` at the last bound of 64 frames.
  var strikesBefore: UInt32 = 0
  /// The most voices that a note has had, at least 8.
  var largestNote = 8
  /// The notes that go first when voices are short.
  let steals = StealList()
  /// The synth that was looked at last for what it has missed.
  var nextToRefresh = 0
  /// The synth of each channel's last note, −1 before the first.
  var lastSynths = InlineArray<16, Int>(repeating: -1)
  /// The key from which the next note of a channel glides (controller 84), −1 for none.
  var portamentoKeys = InlineArray<16, Int>(repeating: -1)

  /// Whether each channel comes out of the synths by itself, to be sent to the effects.
  package let isSeparated: Bool
  /// What each synth sends of each channel to the effects.
  let sends: UnsafeMutablePointer<ChannelSend>
  /// Which channels may sound on each synth, a bit for each.
  let playing: UnsafeMutablePointer<UInt16>
  /// Which channels are in the current block of each synth, a bit for each.
  let rendered: UnsafeMutablePointer<UInt16>
  /// What each synth has rendered of its current block beyond the last call, left and right, for
  /// each channel where they are separated.
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

  /// - Thread: [control], once nobody uses the pool any more.
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
  /// - Returns: how many voices sound behind it.
  @_noLocks @_noAllocation
  package func mix(count frames: Int, into scratch: SamplerScratch) -> Int {
    var voices = 0
    // A synth's last block may end behind the call.
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

  /// Whether a synth has missed a reset or many messages: to catch up takes a tenth of a
  /// millisecond or so.
  @_noLocks @_noAllocation
  func isBehind(_ index: Int) -> Bool {
    synths[index].isStale
      || messages.count &- synths[index].heardCount > ChannelMessages.bearableCount
  }

  /// Whether there is anything for `refreshNext` to do.
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

  /// Lets a synth that is behind catch up, one in 64 frames.
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

  /// Voices of a synth that notes leave to what ends others.
  private static var placesForChokes: Int {
    @_noLocks @_noAllocation get { 2 &* Synth.chokesOfNote }
  }

  /// Whether a synth has voices for any note, and places in its queue.
  @_noLocks @_noAllocation
  func hasRoom(_ synth: Synth) -> Bool {
    if synth.isCrowded { return false }
    return Vouched.voiceCount(synth.synth) &+ largestNote &+ Self.placesForChokes
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

  /// Brings a synth to the state of the channels and the settings, from wherever it stands.
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
      // A reset puts something into the queue too.
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
