// The synths that play one SoundFont together, so that each note begins on its own frame.

import Realtime

/// A pool of synths that share a SoundFont. It lives in memory of its own, behind a pointer.
///
/// FluidSynth begins notes at the bounds of its blocks of 64 frames. A synth on which nothing sounds is not
/// rendered, so that its next block can begin on any frame: a note takes a synth whose next block
/// begins on the note's frame, or else one on which nothing sounds. Only when there is neither does the
/// note wait, up to 63 frames, for the block that begins first.
///
/// The first synth takes in every message. It is the only one that plays when all notes lie on one
/// grid of 64 frames. The others take in messages while they sound, and catch up before a note.
struct SynthPool: BitwiseCopyable {
  static var maximumCount: Int { @_noLocks @_noAllocation get { 64 } }
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
  let held = NoteCounts()
  /// Which of the live set's stacks it plays, −1 for none of them.
  var stack = -1
  /// Whether it stays at hand for the entries of its stack, in the place of the one before.
  var staysAtHand = false
  /// The entry that it was prepared for because that was selected, −1 for none.
  var entry = -1
  /// The number of the load that it was prepared for.
  var loadNumber = 0
  /// Another pool that is published, or given back, together with it.
  var next: UnsafeMutablePointer<SynthPool>?
  /// The number of the note-on that struck a key of a channel last.
  let strikes: UnsafeMutablePointer<UInt32>
  var strikeCount: UInt32 = 0
  /// The synth of each channel's last note, −1 before the first.
  var lastSynths = InlineArray<16, Int>(repeating: -1)
  /// The key from which the next note of a channel glides (controller 84), −1 for none.
  var portamentoKeys = InlineArray<16, Int>(repeating: -1)

  /// Whether each channel comes out of the synths by itself, to be sent to the effects.
  let isSeparated: Bool
  /// What each synth sends of each channel to the effects.
  let sends: UnsafeMutablePointer<ChannelSend>
  /// Which channels may sound on each synth, a bit for each.
  let playing: UnsafeMutablePointer<UInt16>

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
    strikes.deallocate()
    sends.deallocate()
    playing.deallocate()
  }

  /// The synth that takes in every message.
  var first: UnsafeMutablePointer<Synth> { @_noLocks @_noAllocation get { synths } }

  var isSounding: Bool {
    @_noLocks @_noAllocation get {
      var index = 0
      while index < count {
        if synths[index].isSounding { return true }
        index += 1
      }
      return false
    }
  }

  /// The sum of all synths. They are added in their order, so that no sample depends on how the calls are
  /// split.
  @_noLocks @_noAllocation
  func add(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count frames: Int
  ) {
    var index = 0
    while index < count {
      (synths + index).pointee.add(to: left, right, count: frames)
      index += 1
    }
  }

  /// Lets a synth that has missed a reset or many messages catch up, one a call: it takes a tenth of a
  /// millisecond or so.
  @_noLocks @_noAllocation
  func refreshNext(
    _ channels: ChannelStates, _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    var index = 1
    while index < count {
      let isBehind =
        synths[index].isStale
        || messages.count - synths[index].heardCount > ChannelMessages.capacity / 4
      if isBehind && !synths[index].isSounding {
        return refresh(index, channels, settings, scratch)
      }
      index += 1
    }
  }

  /// Brings a synth to the state of the channels and the settings, from wherever it stands.
  @_noLocks @_noAllocation
  func refresh(
    _ index: Int, _ channels: ChannelStates, _ settings: SynthSettings, _ scratch: SamplerScratch
  ) {
    let synth = synths + index
    let missed = messages.count - synth.pointee.heardCount
    if synth.pointee.isStale || missed > ChannelMessages.capacity {
      Vouched.systemReset(synth.pointee.synth)
      synth.pointee.apply(channels)
      synth.pointee.copyGenerators(from: first.pointee)
      // As in `emptyFirstQueue`.
      synth.pointee.skipBlock(scratch)
      synth.pointee.isStale = false
      synth.pointee.lacksSettings = true
      synth.pointee.heardCount = messages.count
    } else if missed > 0 {
      catchUp(index)
    }
    if synth.pointee.lacksSettings {
      synth.pointee.apply(settings)
      synth.pointee.lacksSettings = false
    }
  }
}

extension SynthPool {
  /// A reset puts something into the mixer's queue, which only a block empties; without it, many resets of a
  /// synth where nothing sounds would fill it.
  @_noLocks @_noAllocation
  func emptyFirstQueue(_ scratch: SamplerScratch) {
    if !first.pointee.isSounding { first.pointee.skipBlock(scratch) }
  }
}

extension Synth {
  /// Adds what it plays, and notes at the bounds of its blocks whether that has ended.
  @_noLocks @_noAllocation
  fileprivate mutating func add(
    to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int
  ) {
    var frame = 0
    while isSounding && frame < count {
      let length = nextLength(count - frame)
      Vouched.add(synth, length, to: left + frame, right + frame)
      rendered(length)
      frame += length
    }
  }

  /// Takes note of frames that were rendered.
  @_noLocks @_noAllocation
  mutating func rendered(_ frames: Int) {
    queue.rendered(frames)
    position = (position + frames) % Self.blockFrames
    if position == 0 { wakeOrRest() }
  }

  /// How many frames to render at once: to the end of the block, or several whole blocks.
  ///
  /// Each call has a price. But FluidSynth adds voices up in an order that changes where one ends: sums of three
  /// may come out another way in their last bit when blocks are rendered at once, sums of two do not.
  @_noLocks @_noAllocation
  private func nextLength(_ count: Int) -> Int {
    if position != 0 || count < 2 * Self.blockFrames || Vouched.voiceCount(synth) > 2 {
      return min(Self.blockFrames - position, count)
    }
    return count / Self.blockFrames * Self.blockFrames
  }

  /// At the bound of a block, or when something may have begun to sound.
  @_noLocks @_noAllocation
  mutating func wakeOrRest() { isSounding = Vouched.voiceCount(synth) > 0 }

  /// Throws a block away. The bounds of the blocks stay where they are.
  @_noLocks @_noAllocation
  mutating func skipBlock(_ scratch: SamplerScratch) {
    Vouched.render(synth, Self.blockFrames, scratch.blockLeft, scratch.blockRight)
    queue = MixerQueue()
  }
}
