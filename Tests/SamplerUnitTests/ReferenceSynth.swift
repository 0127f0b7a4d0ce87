// A single FluidSynth, played through its C interface: the reference for the pool's sound.

import CFluidSynth
import Foundation

@testable import FluidSynthPool
@testable import SamplerUnit

final class ReferenceSynth {
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let silentNote: SilentNote
  private var left: [Float] = []
  private var right: [Float] = []

  init(_ font: URL, polyphony: Int = 256, sampleRate: Double = 48_000) {
    settings = new_fluid_settings()
    for (name, value) in [
      ("synth.reverb.active", 0), ("synth.chorus.active", 0), ("synth.min-note-length", 10),
      ("synth.polyphony", polyphony), ("synth.midi-channels", 32),
    ] {
      fluid_settings_setint(settings, name, Int32(value))
    }
    fluid_settings_setnum(settings, "synth.sample-rate", sampleRate)
    synth = new_fluid_synth(settings)
    // Each voice is primed as if it had sounded before, like those of the pool.
    silentNote = SilentNote(for: synth)!
    silentNote.prime(synth, voices: polyphony)
    fluid_synth_sfload(synth, font.path, 1)
    // Mode messages apply to their own channel only.
    fluid_synth_reset_basic_channel(synth, -1)
    for channel in Int32(0)..<16 {
      fluid_synth_set_basic_channel(
        synth, channel, Int32(FLUID_CHANNEL_MODE_OMNIOFF_POLY.rawValue), 1)
      if channel != 9 { fluid_synth_program_change(synth, channel, 0) }
    }
  }

  deinit {
    silentNote.remove(from: synth)
    delete_fluid_synth(synth)
    silentNote.delete()
    delete_fluid_settings(settings)
  }

  /// Renders messages at multiples of 64 frames, in order.
  func render(_ frames: Int, _ midi: [(Int, [UInt8])]) -> (left: [Float], right: [Float]) {
    (left, right) = ([], [])
    for (frame, message) in midi {
      advance(to: frame)
      play(message)
    }
    advance(to: frames)
    return (left, right)
  }

  private func advance(to frame: Int) {
    while left.count < frame {
      let length = min(64, frame - left.count)
      var (first, second) = ([Float](repeating: 0, count: length), [Float](repeating: 0, count: 64))
      fluid_synth_write_float(synth, Int32(length), &first, 0, 1, &second, 0, 1)
      left += first
      right += second.prefix(length)
    }
  }

  private func play(_ message: [UInt8]) {
    if message[0] == 0xF0 {
      let body = message.dropFirst().dropLast().map { CChar(bitPattern: $0) }
      fluid_synth_sysex(synth, body, Int32(body.count), nil, nil, nil, 0)
      return
    }
    let (channel, first) = (Int32(message[0] & 15), Int32(message[1]))
    let second = message.count > 2 ? Int32(message[2]) : 0
    switch message[0] & 0xF0 {
    case 0x80: fluid_synth_noteoff(synth, channel, first)
    case 0x90: fluid_synth_noteon(synth, channel, first, second)
    case 0xA0: fluid_synth_key_pressure(synth, channel, first, second)
    // Mono On applies to one channel.
    case 0xB0: fluid_synth_cc(synth, channel, first, first == 126 ? 1 : second)
    case 0xC0: fluid_synth_program_change(synth, channel, first)
    case 0xD0: fluid_synth_channel_pressure(synth, channel, first)
    default: fluid_synth_pitch_bend(synth, channel, second << 7 | first)
    }
  }
}
