// FluidSynth's settings.

import CFluidSynth

/// Settings for a synth that renders without locks and allocations.
///
/// - Parameter outputPairs: 1 for all channels together, or 16, one for each.
package func makeFluidSettings(
  sampleRate: Double, polyphony: Int, outputPairs: Int = 1, minimumNoteMilliseconds: Int = 0,
  bankSelect: BankSelect = .gs
) -> OpaquePointer? {
  guard let settings = new_fluid_settings() else { return nil }
  let integers = [
    ("synth.threadsafe-api", 0), ("synth.reverb.active", 0), ("synth.chorus.active", 0),
    ("synth.dynamic-sample-loading", 0), ("synth.lock-memory", 0), ("synth.verbose", 0),
    // 16 for MIDI, and one for silent notes; FluidSynth has them in multiples of 16.
    ("synth.midi-channels", 32), ("synth.audio-channels", outputPairs),
    ("synth.audio-groups", outputPairs),
    // Counted from the note's first block, so that it does not depend on the period.
    ("synth.min-note-length", minimumNoteMilliseconds), ("synth.polyphony", polyphony),
    // The device that GS and XG resets are addressed to.
    ("synth.device-id", 0x10),
  ]
  for (name, value) in integers { fluid_settings_setint(settings, name, Int32(value)) }
  fluid_settings_setnum(settings, "synth.sample-rate", sampleRate)
  fluid_settings_setstr(settings, "synth.midi-bank-select", bankSelect.rawValue)
  return settings
}
