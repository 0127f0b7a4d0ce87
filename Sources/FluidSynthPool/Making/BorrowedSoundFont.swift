// A loaded SoundFont as one synth sees it.

import CFluidSynth

/// Lends a loaded SoundFont to a synth, with the synth's own number and bank offset.
///
/// FluidSynth keeps both in the font. Several pools share one font, at different positions in their
/// stacks. So each synth gets its own font object, which looks presets up in the shared one.
struct BorrowedSoundFont {
  private let font: OpaquePointer
  /// The synth's number of the font.
  let fontID: Int32

  /// - Returns: nil if there is not enough memory.
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

  /// Removes the font from the synth, before the synth is deleted.
  ///
  /// - Thread: [control]
  func remove(from synth: OpaquePointer) { fluid_synth_remove_sfont(synth, font) }

  /// - Thread: [control], once the synth is deleted.
  func delete() { delete_fluid_sfont(font) }
}

/// Finds a preset in the shared font's list. FluidSynth also calls it on the render thread, for
/// program changes.
private func borrowedPreset(
  _ font: OpaquePointer?, _ bank: Int32, _ program: Int32
) -> OpaquePointer? {
  guard let data = fluid_sfont_get_data(font) else { return nil }
  return fluid_sfont_get_preset(OpaquePointer(data), bank, program)
}
