// A synth made ready on the control side, down to its programs, for the render thread to take.

import CFluidSynth

/// A synth that plays a loaded SoundFont, or, without one, nothing.
final class PreparedSynth: @unchecked Sendable {
  /// The sample rates FluidSynth renders at, in hertz.
  static let sampleRates: ClosedRange<Double> = 8_000...96_000

  private let soundFont: LoadedSoundFont?
  let handle: UnsafeMutablePointer<Synth>
  private let settings: OpaquePointer

  /// - Returns: nil when there is not enough memory.
  /// - Thread: [worker]
  init?(
    _ soundFont: LoadedSoundFont?, sampleRate: Double, bank: Int, program: Int, polyphony: Int,
    keepsPrograms: Bool
  ) {
    let made = FluidSynthLibrary.use { () -> (OpaquePointer, OpaquePointer, Int32)? in
      guard
        let settings = makeFluidSettings(
          sampleRate: sampleRate, polyphony: Synth.maximumPolyphony)
      else { return nil }
      guard let synth = new_fluid_synth(settings) else {
        delete_fluid_settings(settings)
        return nil
      }
      // It allocates, also in the next block: that one is rendered here. The synth is made for all
      // voices, so that its queue is long whatever the polyphony.
      fluid_synth_set_polyphony(synth, Int32(polyphony))
      renderBlock(synth)
      let fontID = soundFont.map { fluid_synth_add_sfont(synth, $0.font) } ?? -1
      return (settings, synth, fontID)
    }.result
    guard let (settings, synth, fontID) = made else { return nil }
    self.soundFont = soundFont
    self.settings = settings
    handle = .allocate(capacity: 1)
    handle.initialize(
      to: Synth(
        synth, fontID: fontID, bank: Int32(bank), program: Int32(program),
        hasKit: soundFont?.hasKit ?? false, keepsPrograms: keepsPrograms))
  }

  deinit {
    let synth = handle.pointee.synth
    handle.deallocate()
    _ = FluidSynthLibrary.use {
      // The voices let go of the font's samples before the font is taken away.
      fluid_synth_all_sounds_off(synth, -1)
      renderBlock(synth)
      if let soundFont { fluid_synth_remove_sfont(synth, soundFont.font) }
      delete_fluid_synth(synth)
      delete_fluid_settings(settings)
    }
  }
}

/// Lets a synth's mixer carry out what waits for it.
private func renderBlock(_ synth: OpaquePointer) {
  var left = [Float](repeating: 0, count: Synth.blockFrames)
  var right = left
  fluid_synth_write_float(synth, Int32(Synth.blockFrames), &left, 0, 1, &right, 0, 1)
}
