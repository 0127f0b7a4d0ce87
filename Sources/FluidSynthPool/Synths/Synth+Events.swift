// Events of a synth, counted: its mixer's queue must not overflow, and a cycle's work is limited.

extension Synth {
  /// Whether events have to wait until the synth has rendered a block.
  var isCrowded: Bool {
    @_noLocks @_noAllocation get {
      if queue.isCrowded(voiceCapacity: voiceCapacity) { return true }
      return queue.hasChoked && Vouched.voiceCount(synth) &+ Self.chokesOfNote > voiceCapacity
    }
  }

  /// The number of exclusive classes that a note may have. Choking one takes a voice until the
  /// block's end.
  static var chokesOfNote: Int { @_noLocks @_noAllocation get { 4 } }

  /// Whether all voices are taken, except those that a note's exclusive classes may need.
  /// FluidSynth would then end a voice of its own choice for another.
  var isFull: Bool {
    @_noLocks @_noAllocation get {
      Vouched.voiceCount(synth) &+ Self.chokesOfNote >= voiceCapacity
    }
  }

  /// Counts the changes that a message is about to make to a channel's voices.
  ///
  /// Events wait before that is necessary. But if the queue might overflow, a block is rendered and
  /// thrown away: the sound jumps ahead by 64 frames, and nothing is lost.
  @_noLocks @_noAllocation
  private mutating func count(
    _ changes: Int, ofEachVoiceOn channel: Int32, _ scratch: SamplerScratch
  ) {
    var total = Vouched.voiceCount(synth) &* changes
    scratch.work.add(1)
    if queue.tryAddRoughly(total, voiceCapacity: voiceCapacity) { return }
    total = voiceCount(channel, scratch) &* changes
    queue.add(total)
    if queue.isFull(voiceCapacity: voiceCapacity) {
      skipBlock(scratch)
      scratch.work.countSkippedBlock()
      queue.add(total)
    }
  }

  /// Adds the cost of a message, by the number of voices that it reaches.
  @_noLocks @_noAllocation
  private func addWork(of message: ChannelMessage, _ scratch: SamplerScratch) {
    var voices = Vouched.voiceCount(synth)
    if voices > 16 { voices = voiceCount(message.channel, scratch) }
    scratch.work.add(message.endsVoices ? 2 &* walkWork : walkWork / 4)
    scratch.work.add(1 &+ (message.isReset ? voices &* 3 : voices / 2))
  }

  private var walkWork: Int {
    @_noLocks @_noAllocation get { SamplerWork.walk(voiceCapacity) }
  }

  /// The cost of a list. It takes a call for each slot, and reads more of it than FluidSynth's own
  /// walk.
  private var listWork: Int { @_noLocks @_noAllocation get { 2 &* walkWork } }

  /// Lists the sounding voices in the scratch memory.
  /// - Returns: the number of voices.
  @_noLocks @_noAllocation
  func listVoices(_ scratch: SamplerScratch) -> Int {
    let voices = Vouched.voices(synth, scratch.voices)
    scratch.work.add(listWork &+ voices / 8)
    return voices
  }

  /// The number of voices that sound on a channel; −1 for all channels.
  @_noLocks @_noAllocation
  private func voiceCount(_ channel: Int32, _ scratch: SamplerScratch) -> Int {
    scratch.work.add(listWork)
    return Vouched.voiceCount(synth, channel, scratch.voices)
  }

  @_noLocks @_noAllocation
  private func withModulators(_ changes: Int) -> Int {
    min(changes &+ modulators, MixerQueue.changesAtMost)
  }

  /// Begins a note.
  /// - Parameter isMono: whether the channel plays one note at a time.
  /// - Returns: the number of its voices.
  @_noLocks @_noAllocation
  mutating func noteOn(
    _ channel: Int32, key: Int32, velocity: Int32, glides: Bool, isMono: Bool,
    _ scratch: SamplerScratch
  ) -> Int {
    count(glides ? withModulators(MixerQueue.changesOfReset) : 1, ofEachVoiceOn: channel, scratch)
    silenceAgain(1 << UInt16(truncatingIfNeeded: channel & 15))
    endEarlierProgram(channel, glides: glides, scratch)
    let before = Vouched.voiceCount(synth)
    strike(channel, key, velocity, isMono: isMono)
    if Vouched.voiceCount(synth) == before && !plays(channel, key, scratch) {
      // FluidSynth omits a note, once, if a glide has marked the zones that the note would play.
      strike(channel, key, velocity, isMono: isMono)
    }
    return countStarted(before, scratch)
  }

  /// Begins a note, and leaves only its key in FluidSynth's list of the channel.
  @_noLocks @_noAllocation
  private mutating func strike(_ channel: Int32, _ key: Int32, _ velocity: Int32, isMono: Bool) {
    Vouched.noteOn(synth, channel, key: key, velocity: velocity)
    let index = Int(truncatingIfNeeded: channel & 15)
    let earlier = listed[index]
    listed[index] = Int8(truncatingIfNeeded: key)
    // After a later key, even the same one, FluidSynth removes one from the list and changes no
    // voice. In poly mode it has already done so.
    if isMono && earlier >= 0 { Vouched.noteOff(synth, channel, key: Int32(earlier)) }
  }

  @_noLocks @_noAllocation
  private func plays(_ channel: Int32, _ key: Int32, _ scratch: SamplerScratch) -> Bool {
    let voices = listVoices(scratch)
    var index = 0
    while index < voices {
      let voice = Voice(scratch.voices[index]!)
      if voice.channel == channel && voice.key == key && voice.isOn { return true }
      index &+= 1
    }
    return false
  }

  /// Ends the notes that a channel has held since before its program changed.
  ///
  /// FluidSynth would let the next note that glides take over their voices. It would also omit a
  /// later note of the earlier program, on any channel of any synth with the same font.
  @_noLocks @_noAllocation
  private mutating func endEarlierProgram(
    _ channel: Int32, glides: Bool, _ scratch: SamplerScratch
  ) {
    let bit: UInt16 = 1 << UInt16(truncatingIfNeeded: channel & 15)
    if reprogrammed & bit == 0 { return }
    reprogrammed &= ~bit
    if !glides { return }
    scratch.work.add(2 &* walkWork)
    Vouched.controller(synth, channel, number: 123, value: 0)
  }

  /// Ends a note.
  @_noLocks @_noAllocation
  mutating func noteOff(_ channel: Int32, key: Int32, glides: Bool, _ scratch: SamplerScratch) {
    count(glides ? withModulators(MixerQueue.changesOfReset) : 1, ofEachVoiceOn: channel, scratch)
    if glides { endEarlierProgram(channel, glides: true, scratch) }
    Vouched.noteOff(synth, channel, key: key)
    let index = Int(truncatingIfNeeded: channel & 15)
    if Int32(listed[index]) == key { listed[index] = -1 }
  }

  @_noLocks @_noAllocation
  private mutating func countStarted(_ before: Int, _ scratch: SamplerScratch) -> Int {
    let started = max(Vouched.voiceCount(synth) &- before, 0)
    if before &+ started > voiceCapacity { scratch.work.countShortage() }
    queue.add(started &* MixerQueue.changesOfStart)
    scratch.work.add(started &* SamplerWork.start)
    return started
  }

  /// Ends the notes in an exclusive class on a channel.
  @_noLocks @_noAllocation
  mutating func choke(_ channel: Int32, exclusiveClass: Int32, _ scratch: SamplerScratch) {
    let before = Vouched.voiceCount(synth)
    Vouched.choke(self, channel, exclusiveClass: exclusiveClass)
    queue.countChoke()
    _ = countStarted(before, scratch)
  }

  @_noLocks @_noAllocation
  mutating func allSoundsOff(_ scratch: SamplerScratch) {
    count(3, ofEachVoiceOn: -1, scratch)
    Vouched.allSoundsOff(synth)
    _ = silenceVoices(-1, scratch)
  }

  /// Silences the voices of a channel, −1 for all, that FluidSynth is about to switch off. If a
  /// voice was choked before its least length, that end is still to come, and with it a release.
  /// - Returns: the number of voices.
  @_noLocks @_noAllocation
  private mutating func silenceVoices(_ channel: Int32, _ scratch: SamplerScratch) -> Int {
    let voices = Vouched.voices(synth, scratch.voices)
    var (index, silent) = (0, 0)
    while index < voices {
      let voice = Voice(scratch.voices[index]!)
      if channel < 0 || voice.channel == channel {
        voice.silence()
        silent &+= 1
      }
      index &+= 1
    }
    queue.add(2 &* silent)
    return silent
  }

  @_noLocks @_noAllocation
  mutating func send(_ message: ChannelMessage, _ scratch: SamplerScratch) {
    let (channel, first, second) = (message.channel, message.first, message.second)
    if message.isSoundOff && Vouched.voiceCount(synth) == 0 { return }
    if message.changesVoices {
      let changes = message.isReset ? MixerQueue.changesOfReset : MixerQueue.changesOfMessage
      addWork(of: message, scratch)
      count(withModulators(changes), ofEachVoiceOn: channel, scratch)
    } else {
      scratch.work.add(SamplerWork.program(presets))
      if Vouched.voiceCount(synth) > 0 {
        reprogrammed |= 1 << UInt16(truncatingIfNeeded: channel & 15)
      }
    }
    switch message.kind {
    case .controller:
      Vouched.controller(synth, channel, number: first, value: second)
      if message.isSoundOff {
        let voices = silenceVoices(channel, scratch)
        scratch.work.add(3 &* walkWork &+ voices)
        if voices > 0 { silenced |= 1 << UInt16(truncatingIfNeeded: channel & 15) }
      }
    case .keyPressure: Vouched.keyPressure(synth, channel, key: first, value: second)
    case .channelPressure: Vouched.channelPressure(synth, channel, value: first)
    case .pitchBend: Vouched.pitchBend(synth, channel, value: first)
    case .program: programChange(channel, first)
    case .configured: selectConfigured(channel)
    case .rhythmPart: setRhythmPart(channel, first)
    }
  }

  /// Sends All Sound Off once more, before the next block, and before a note that is not to end.
  ///
  /// FluidSynth executes it with the block: a note-off or pedal release after it would let the
  /// voices ring out.
  @_noLocks @_noAllocation
  mutating func silenceAgain(_ channels: UInt16 = .max) {
    var rest = silenced & channels
    silenced &= ~channels
    while rest != 0 {
      let channel = Int32(truncatingIfNeeded: rest.trailingZeroBitCount)
      Vouched.controller(synth, channel, number: 120, value: 0)
      rest &= rest &- 1
    }
  }

  /// Sets the offset of pitch on all channels.
  @_noLocks @_noAllocation
  mutating func change(_ settings: SynthSettings, isPitchAlone: Bool, _ scratch: SamplerScratch) {
    scratch.work.add(SamplerWork.settings)
    count(MixerQueue.changesOfMessage, ofEachVoiceOn: -1, scratch)
    if isPitchAlone { setPitch(settings) } else { apply(settings) }
  }

  /// Sets the offset of pitch on one channel.
  @_noLocks @_noAllocation
  mutating func changePitch(
    _ settings: SynthSettings, _ channel: Int, _ scratch: SamplerScratch
  ) {
    let number = Int32(truncatingIfNeeded: channel)
    scratch.work.add(1 &+ Vouched.voiceCount(synth) / 2)
    count(MixerQueue.changesOfMessage, ofEachVoiceOn: number, scratch)
    setPitch(settings, channel)
  }

  /// Counts the changes of tuning voices one by one.
  @_noLocks @_noAllocation
  mutating func countRetuning(_ scratch: SamplerScratch) {
    count(MixerQueue.changesOfMessage, ofEachVoiceOn: -1, scratch)
  }
}
