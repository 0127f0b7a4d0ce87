// A SoundFont in memory, from which synths borrow.

import CFluidSynth

/// A SoundFont that FluidSynth has loaded. Its samples stay as long as this object.
///
/// It belongs to a separate small synth that never plays. Synths that play borrow the font.
package final class FluidSynthFont: @unchecked Sendable {
  package struct Preset: Sendable {
    package let bank: Int
    package let program: Int
    package let name: String
    /// The preset's address, which identifies it as long as the font exists.
    package let address: Int
  }

  let font: OpaquePointer
  private let owner: OpaquePointer
  private let settings: OpaquePointer

  /// Loads a font.
  ///
  /// - Parameters:
  ///   - name: returns the name under which FluidSynth knows the samples.
  ///   - progress: called as FluidSynth reads the bytes.
  /// - Returns: the font, nil if loading failed, and FluidSynth's messages.
  /// - Thread: [worker]
  package static func load(
    _ bytes: any FontBytes, name: () -> String, progress: ReadingProgress?
  ) -> (font: FluidSynthFont?, messages: [String]) {
    let (font, messages) = FluidSynthLibrary.use {
      FluidSynthFont(bytes, name: name(), progress: progress)
    }
    return (font, messages)
  }

  private init?(_ bytes: any FontBytes, name: String, progress: ReadingProgress?) {
    guard let settings = makeFluidSettings(sampleRate: 44_100, polyphony: 1) else { return nil }
    if let owner = new_fluid_synth(settings) {
      FontStream.install(bytes, in: owner, settings, progress: progress)
      defer { FontStream.uninstall() }
      // opens: nothing: FontStream has the bytes
      let number = fluid_synth_sfload(owner, name, 0)
      if number >= 0, let font = fluid_synth_get_sfont_by_id(owner, number) {
        (self.settings, self.owner, self.font) = (settings, owner, font)
        return
      }
      delete_fluid_synth(owner)
    }
    delete_fluid_settings(settings)
    return nil
  }

  deinit {
    _ = FluidSynthLibrary.use {
      delete_fluid_synth(owner)
      delete_fluid_settings(settings)
    }
  }

  /// The presets in the font's order, for one thread at a time.
  ///
  /// - Thread: [worker]
  package var presets: [Preset] {
    var presets: [Preset] = []
    fluid_sfont_iteration_start(font)
    while let preset = fluid_sfont_iteration_next(font) {
      presets.append(
        Preset(
          bank: Int(fluid_preset_get_banknum(preset)), program: Int(fluid_preset_get_num(preset)),
          name: fluid_preset_get_name(preset).map { String(cString: $0) } ?? "",
          address: Int(bitPattern: preset)))
    }
    return presets
  }
}
