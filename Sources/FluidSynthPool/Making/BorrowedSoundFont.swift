// A loaded SoundFont as one synth sees it.

import CFluidSynth

/// Lends a loaded SoundFont to a synth, with a number and a bank offset of the synth's own.
///
/// FluidSynth keeps both in the font. Several pools share one, at different places of their stacks,
/// so each synth gets a font of its own that looks presets up in the shared one.
struct BorrowedSoundFont {
  private let font: OpaquePointer
  /// The synth's number of it.
  let fontID: Int32

  /// - Returns: nil when there is not enough memory.
  /// - Thread: [worker]
  init?(_ layer: PoolFonts.Layer, for synth: OpaquePointer) {
    guard
      let font = new_fluid_sfont(
        { _ in nil }, borrowedPreset, { _ in }, { _ in nil }, { delete_fluid_sfont($0) })
    else { return nil }
    self.font = font
    fluid_sfont_set_data(font, UnsafeMutableRawPointer(layer.font.font))
    fontID = fluid_synth_add_sfont(synth, font)
    fluid_synth_set_bank_offset(synth, fontID, Int32(layer.bankOffset))
  }

  /// Takes it from the synth, before that is deleted.
  ///
  /// - Thread: [control]
  func remove(from synth: OpaquePointer) { fluid_synth_remove_sfont(synth, font) }

  /// - Thread: [control], once the synth is deleted.
  func delete() { delete_fluid_sfont(font) }
}

/// Called on the render thread too, by FluidSynth for program changes: it walks the shared font's
/// list.
private func borrowedPreset(
  _ font: OpaquePointer?, _ bank: Int32, _ program: Int32
) -> OpaquePointer? {
  guard let data = fluid_sfont_get_data(font) else { return nil }
  return fluid_sfont_get_preset(OpaquePointer(data), bank, program)
}
