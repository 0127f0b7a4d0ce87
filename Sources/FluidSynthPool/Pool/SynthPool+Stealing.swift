// The limit of voices over all synths of a pool.

import CFluidSynth

extension SynthPool {
  /// Passes a block boundary (64 frames).
  @_noLocks @_noAllocation
  package mutating func passBound() {
    steals.clear()
    strikesBefore = strikeCount
  }

  /// The number of voices sounding on all synths, including those that fade out.
  package var soundingVoices: Int {
    @_noLocks @_noAllocation get {
      var voices = 0
      var index = 0
      while index < count {
        if synths[index].isSounding { voices &+= Vouched.voiceCount(synths[index].synth) }
        index &+= 1
      }
      return voices
    }
  }

  /// The number of voices beyond the limit: those that fade out.
  @_noLocks @_noAllocation
  package func surplus(of voices: Int) -> Int { max(voices &- polyphony, 0) }

  /// Ends notes until a voice is free.
  ///
  /// Notes already ending are first, then notes held by a pedal, then notes with their key down,
  /// each time the oldest. A note fades out over 16 ms, FluidSynth's shortest release.
  @_noLocks @_noAllocation
  func makeRoom(_ scratch: SamplerScratch) {
    if soundingVoices < polyphony { return }
    var attempts = 0
    while attempts < 8 {
      attempts &+= 1
      if steals.isEmpty {
        steals.clear()
        list(scratch)
      }
      if steals.voices < polyphony || steals.isEmpty { return }
      let note = steals.next()
      // A key that was struck again meanwhile is another note.
      if strikes[Int(note.channel) &* 128 &+ Int(note.key)] == note.strike { fade(note, scratch) }
    }
  }

  /// Lists the notes to end first among all voices.
  @_noLocks @_noAllocation
  private func list(_ scratch: SamplerScratch) {
    var index = 0
    while index < count {
      let voices = synths[index].isSounding ? synths[index].listVoices(scratch) : 0
      scratch.work.add(voices / 8)
      var voiceIndex = 0
      while voiceIndex < voices {
        let voice = Voice(scratch.voices[voiceIndex]!)
        voiceIndex &+= 1
        if voice.isFading || voice.channel > 15 { continue }
        var note = StealCandidate()
        note.synth = Int32(truncatingIfNeeded: index)
        note.channel = voice.channel
        note.key = voice.key
        note.rank = voice.isOn ? 2 : voice.isHeldByPedal ? 1 : 0
        note.strike = strikes[Int(voice.channel) &* 128 &+ Int(voice.key)]
        note.age = strikeCount &- note.strike
        steals.take(note)
      }
      index &+= 1
    }
  }

  /// Ends a note whatever the pedals: as an exclusive class would, but faster.
  ///
  /// Ending it takes a voice. If none is left, the note stays.
  @_noLocks @_noAllocation
  private func fade(_ note: StealCandidate, _ scratch: SamplerScratch) {
    let synth = synths + Int(note.synth)
    if synth.pointee.isFull { return }
    let voices = synth.pointee.listVoices(scratch)
    var (voiceIndex, faded) = (0, 0)
    while voiceIndex < voices {
      let voice = Voice(scratch.voices[voiceIndex]!)
      if voice.channel == note.channel && voice.key == note.key && !voice.isFading {
        voice.beginFade()
        faded &+= 1
      }
      voiceIndex &+= 1
    }
    if faded == 0 { return }
    scratch.work.add(faded &* SamplerWork.fade)
    steals.add(0 &- faded)
    synth.pointee.choke(note.channel, exclusiveClass: Voice.fadingClass, scratch)
    synth.pointee.queue.add(faded)
    voiceIndex = 0
    while voiceIndex < voices {
      let voice = Voice(scratch.voices[voiceIndex]!)
      if voice.channel == note.channel && voice.key == note.key { voice.shortenRelease() }
      voiceIndex &+= 1
    }
  }
}
