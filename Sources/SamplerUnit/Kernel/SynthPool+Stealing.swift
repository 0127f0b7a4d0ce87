// The limit of voices over all synths of a pool.

import CFluidSynth

extension SynthPool {
  /// Lets notes go until a voice is free.
  ///
  /// What sounds on one synth alone is left to FluidSynth, whose limit is the pool's there. Otherwise the note
  /// goes that is ending already, else one that a pedal holds, else one whose key is down, each
  /// time the oldest. It fades out over 16 ms, FluidSynth's shortest release.
  @_noLocks @_noAllocation
  func makeRoom(_ scratch: SamplerScratch) {
    var (voices, sounding) = (0, 0)
    var index = 0
    while index < count {
      if synths[index].isSounding {
        voices += Vouched.voiceCount(synths[index].synth)
        sounding += 1
      }
      index += 1
    }
    if voices < polyphony || (sounding == 1 && synths[0].isSounding) { return }
    var attempts = 0
    while attempts < 8 && releaseOldest(scratch) { attempts += 1 }
  }

  /// - Returns: false if there is a free voice.
  @_noLocks @_noAllocation
  private func releaseOldest(_ scratch: SamplerScratch) -> Bool {
    var (total, owner, channel, key) = (0, -1, Int32(0), Int32(0))
    var (bestRank, bestAge) = (Int.max, UInt32(0))
    var index = 0
    while index < count {
      let voices =
        synths[index].isSounding ? Vouched.voices(synths[index].synth, scratch.voices) : 0
      var place = 0
      while place < voices {
        let voice = Voice(scratch.voices[place]!)
        place += 1
        if voice.isFading { continue }
        total += 1
        let rank = voice.isOn ? 2 : voice.isHeldByPedal ? 1 : 0
        let age = strikeCount &- strikes[Int(voice.channel) * 128 + Int(voice.key)]
        if rank < bestRank || (rank == bestRank && age > bestAge) {
          (bestRank, bestAge) = (rank, age)
          (owner, channel, key) = (index, voice.channel, voice.key)
        }
      }
      index += 1
    }
    if total < polyphony || owner < 0 { return false }
    fade(owner, channel, key, scratch)
    return true
  }

  /// Ends a note whatever the pedals: as an exclusive class would, only faster.
  @_noLocks @_noAllocation
  private func fade(_ index: Int, _ channel: Int32, _ key: Int32, _ scratch: SamplerScratch) {
    let voices = Vouched.voices(synths[index].synth, scratch.voices)
    var place = 0
    while place < voices {
      let voice = Voice(scratch.voices[place]!)
      if voice.channel == channel && voice.key == key { voice.beginFade() }
      place += 1
    }
    Vouched.choke(synths[index], channel, exclusiveClass: Voice.fadingClass)
    place = 0
    while place < voices {
      let voice = Voice(scratch.voices[place]!)
      if voice.channel == channel && voice.key == key { voice.shortenRelease() }
      place += 1
    }
  }
}
