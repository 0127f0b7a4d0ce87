// Synths with separate channels, each with its sends to the effects.

import CFluidSynth
import Realtime

extension SynthPool {
  /// Adds each channel's output to its dry outputs and to the effects' inputs.
  ///
  /// Each synth is rendered a block at a time, and frames after the end are kept as in
  /// `mix(count:into:)`.
  /// - Parameters:
  ///   - fades: a factor for each frame, nil for 1.
  /// - Returns: the number of voices that sound after it.
  @_noLocks @_noAllocation
  package func add(
    to mix: SamplerMix, count frames: Int, _ channels: ChannelStates,
    fades: UnsafePointer<Float>?
  ) -> Int {
    var (index, all) = (0, 0)
    while index < count {
      var (frame, voices) = (0, 0)
      while synths[index].isSounding && frame < frames {
        if synths[index].position == 0 { renderBlock(index, for: mix, channels) }
        let length = min(Synth.blockFrames - synths[index].position, frames - frame)
        take(index, to: mix, frame, length, fades)
        synths[index].advance(length)
        voices = Vouched.voiceCount(synths[index].synth)
        if voices == 0 && isSilent(index) { synths[index].rest() }
        frame += length
      }
      all &+= voices
      index &+= 1
    }
    return all
  }

  /// Takes in the SoundFont's sends of a note that has begun on a synth. A note of several voices
  /// has their mean.
  @_noLocks @_noAllocation
  func takeSends(
    _ index: Int, _ channel: Int, _ key: Int, _ channels: ChannelStates, _ scratch: SamplerScratch
  ) {
    if !isSeparated { return }
    markPlaying(index, channel)
    let isPanned = channels[channel].pointee.isSet[10]
    let pan = ChannelSend.position(
      panController: isPanned ? channels[channel].pointee.controllers[10] : 64)
    var (reverb, chorus, centering, own) = (Float(0), Float(0), Float(0), Float(0))
    let voices = synths[index].listVoices(scratch)
    var voiceIndex = 0
    while voiceIndex < voices {
      let voice = Voice(scratch.voices[voiceIndex]!)
      voiceIndex &+= 1
      if Int(voice.channel) != channel || Int(voice.key) != key || !voice.isOn { continue }
      reverb += voice.generator(GEN_REVERBSEND)
      chorus += voice.generator(GEN_CHORUSSEND)
      centering += ChannelSend.centering(position: voice.generator(GEN_PAN) + pan)
      own += 1
    }
    if own == 0 { return }
    let synth = synths[index].synth
    let number = Int32(truncatingIfNeeded: channel)
    sends[index &* 16 &+ channel].take(
      reverb: reverb / own + Vouched.generator(synth, number, Int32(GEN_REVERBSEND.rawValue)),
      chorus: chorus / own + Vouched.generator(synth, number, Int32(GEN_CHORUSSEND.rawValue)),
      centering: centering / own)
  }

  /// Marks a channel that may sound on a synth from now on.
  @_noLocks @_noAllocation
  func markPlaying(_ index: Int, _ channel: Int) { playing[index] |= 1 << UInt16(channel) }

  /// Clears the sends of a synth that rested, before its first note.
  @_noLocks @_noAllocation
  func forgetSends(_ index: Int) {
    var bits = playing[index]
    playing[index] = 0
    while bits != 0 {
      sends[index &* 16 &+ bits.trailingZeroBitCount].forget()
      bits &= bits &- 1
    }
  }

  /// Renders a block of one synth.
  @_noLocks @_noAllocation
  private func renderBlock(_ index: Int, for mix: SamplerMix, _ channels: ChannelStates) {
    rendered[index] = playing[index]
    var bits = rendered[index]
    while bits != 0 {
      let channel = bits.trailingZeroBitCount
      bits &= bits &- 1
      mix.open(channel, block(index, channel))
      sends[index &* 16 &+ channel].beginBlock(
        reverbDepth: channels[channel].pointee.controllers[91],
        chorusDepth: channels[channel].pointee.controllers[93])
    }
    synths[index].beginBlock()
    Vouched.addChannels(synths[index].synth, Synth.blockFrames, to: mix.wanted)
    bits = rendered[index]
    while bits != 0 {
      mix.close(bits.trailingZeroBitCount)
      bits &= bits &- 1
    }
  }

  /// Takes a part of the block rendered last.
  @_noLocks @_noAllocation
  private func take(
    _ index: Int, to mix: SamplerMix, _ frame: Int, _ length: Int, _ fades: UnsafePointer<Float>?
  ) {
    var bits = rendered[index]
    while bits != 0 {
      let channel = bits.trailingZeroBitCount
      bits &= bits &- 1
      mix.take(
        channel, of: block(index, channel), from: synths[index].position, at: frame, count: length,
        sends[index &* 16 &+ channel], fades)
    }
  }

  /// Whether the rest of a synth's current block is silent.
  @_noLocks @_noAllocation
  private func isSilent(_ index: Int) -> Bool {
    var bits = rendered[index]
    while bits != 0 {
      let channel = bits.trailingZeroBitCount
      bits &= bits &- 1
      if !synths[index].isSilent(block(index, channel)) { return false }
    }
    return true
  }

  /// A channel's part of a synth's current block, left and right.
  @_noLocks @_noAllocation
  private func block(_ index: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    remainders + 2 * Synth.blockFrames * (16 * index + channel)
  }
}
