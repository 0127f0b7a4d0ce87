// Names of the playing sound.

extension SynthPools {
  /// Names of the presets that the 16 channels play: "" for none, nil if not known.
  ///
  /// Until a kernel has published its presets, these are the configured ones.
  var presetNames: [String?] {
    state.withLock { presets.lookCount == 0 ? configuredNames(&$0) : publishedNames(&$0) }
  }

  /// Names of the presets that MIDI has chosen in place of the configured ones, with their
  /// channels, from 1 on.
  var chosenNames: [(channel: Int, name: String)] {
    state.withLock { state in
      // The presets of a load that the kernel has not taken yet are not published.
      guard presets.lookCount > 0, liveStatus.loadNumber >= state.loadNumber else { return [] }
      return zip(configuredNames(&state), publishedNames(&state)).enumerated().compactMap {
        guard let name = $1.1?.trimmed, !name.isEmpty, name != $1.0.trimmed else { return nil }
        return ($0 + 1, name)
      }
    }
  }

  private func configuredNames(_ state: inout State) -> [String] {
    let choice = choice(&state)
    return (0..<16).map { channel in
      choice.map {
        $0.stack.configuredName(
          ofChannel: channel, state.size.channels, bank: $0.bank, program: $0.program)
      } ?? ""
    }
  }

  private func publishedNames(_ state: inout State) -> [String?] {
    // The font last published may be deleted already: then the kernel publishes again.
    let stacks = state.pools.values.map(\.stack) + [state.choice?.stack]
    let fonts = stacks.compactMap(\.self).flatMap(\.layers).map(\.soundFont)
    return (0..<16).map { channel in
      let address = presets[channel]
      if address == 0 { return "" }
      return fonts.lazy.compactMap { $0.presetNames[address] }.first
    }
  }

  /// The name of the sound as a whole: that of the playing entry, or else of the configured preset.
  var soundName: String {
    state.withLock { state in
      if let entry = state.live?[entry(&state)] { return entry.name }
      guard let choice = choice(&state) else { return "" }
      return choice.stack.presetName(bank: choice.bank, program: choice.program)
    }
  }

  /// Lines about corrections of the loaded files, each once, and about configured presets without
  /// sound.
  var warnings: [String] {
    state.withLock { state in
      let choice = choice(&state)
      let entries = state.live.map { live in
        live.set.entries.compactMap { entry in
          live.stacks[live.stack(of: entry)].map {
            LoadedSound(stack: $0, bank: entry.bank, program: entry.program)
          }
        }
      }
      let choices = (choice.map { [$0] } ?? []) + (entries ?? [])
      var lines: [String] = []
      func add(_ line: String) { if !lines.contains(line) { lines.append(line) } }
      for choice in choices {
        for font in choice.stack.layers.map(\.soundFont) {
          for line in font.warnings { add("\(font.url.path): \(line)") }
        }
        if choice.stack.isSilent(bank: choice.bank, program: choice.program) {
          add(
            "\(choice.stack.path): program \(choice.program) of bank \(choice.bank) has no sound: "
              + "none of its zones has a sample")
        }
      }
      return lines
    }
  }
}
