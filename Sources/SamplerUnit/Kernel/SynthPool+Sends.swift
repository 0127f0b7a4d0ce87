// Synths whose channels come out one by one, each with its sends to the effects.

import CFluidSynth
import Realtime

extension SynthPool {
  /// Adds what each channel plays to its dry outputs and to the effects' inputs.
  ///
  /// As in `add(to:)` each synth is rendered a block at a time.
  /// - Parameters:
  ///   - fades: a factor for each frame, nil for 1.
  @_noLocks @_noAllocation
  func add(
    to mix: SamplerMix, count frames: Int, _ channels: ChannelStates,
    fades: UnsafePointer<Float>?
  ) {
    var index = 0
    while index < count {
      var frame = 0
      while synths[index].isSounding && frame < frames {
        let length = min(Synth.blockFrames - synths[index].position, frames - frame)
        addBlock(index, to: mix, frame, length, channels, fades)
        synths[index].rendered(length)
        frame += length
      }
      index += 1
    }
  }

  /// A note has begun on a synth: notes what the SoundFont sends of it. A note of several voices has their mean.
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
    let voices = Vouched.voices(synths[index], scratch.voices)
    var place = 0
    while place < voices {
      let voice = Voice(scratch.voices[place]!)
      place += 1
      if Int(voice.channel) != channel || Int(voice.key) != key || !voice.isOn { continue }
      reverb += voice.generator(GEN_REVERBSEND)
      chorus += voice.generator(GEN_CHORUSSEND)
      centering += ChannelSend.centering(position: voice.generator(GEN_PAN) + pan)
      own += 1
    }
    if own == 0 { return }
    let synth = synths[index].synth
    let number = Int32(truncatingIfNeeded: channel)
    sends[index * 16 + channel].take(
      reverb: reverb / own + Vouched.generator(synth, number, Int32(GEN_REVERBSEND.rawValue)),
      chorus: chorus / own + Vouched.generator(synth, number, Int32(GEN_CHORUSSEND.rawValue)),
      centering: centering / own)
  }

  /// From now on a channel may sound on a synth.
  @_noLocks @_noAllocation
  func markPlaying(_ index: Int, _ channel: Int) { playing[index] |= 1 << UInt16(channel) }

  /// Before the first note of a synth that rested.
  @_noLocks @_noAllocation
  func forgetSends(_ index: Int) {
    var bits = playing[index]
    playing[index] = 0
    while bits != 0 {
      sends[index * 16 + bits.trailingZeroBitCount].forget()
      bits &= bits &- 1
    }
  }

  /// Renders a part of a block of one synth.
  @_noLocks @_noAllocation
  private func addBlock(
    _ index: Int, to mix: SamplerMix, _ frame: Int, _ length: Int, _ channels: ChannelStates,
    _ fades: UnsafePointer<Float>?
  ) {
    let position = synths[index].position
    var bits = playing[index]
    while bits != 0 {
      let channel = bits.trailingZeroBitCount
      bits &= bits &- 1
      mix.open(channel, count: length)
      if position == 0 {
        sends[index * 16 + channel].beginBlock(
          reverbDepth: channels[channel].pointee.controllers[91],
          chorusDepth: channels[channel].pointee.controllers[93])
      }
    }
    Vouched.addChannels(synths[index].synth, length, to: mix.wanted)
    bits = playing[index]
    while bits != 0 {
      let channel = bits.trailingZeroBitCount
      bits &= bits &- 1
      mix.close(
        channel, at: frame, count: length, sends[index * 16 + channel], position, fades)
    }
  }
}
