// The names of what is played.

extension SynthBay {
  /// The names of the presets that the 16 channels play: "" for none, nil while it is not known.
  ///
  /// Before a kernel has said what it plays, that is what is configured.
  var presetNames: [String?] {
    state.withLock { state in
      if presets.lookCount == 0 {
        let choice = choice(&state)
        return (0..<16).map { channel in
          choice.map {
            $0.stack.configuredName(ofChannel: channel, bank: $0.bank, program: $0.program)
          } ?? ""
        }
      }
      // What was found last may be gone already: then the kernel has more to say.
      let stacks = state.pools.values.map(\.stack) + [state.choice?.stack]
      let fonts = stacks.compactMap(\.self).flatMap(\.layers).map(\.soundFont)
      return (0..<16).map { channel in
        let address = presets[channel]
        if address == 0 { return "" }
        return fonts.lazy.compactMap { $0.presetNames[address] }.first
      }
    }
  }

  /// The name of the sound as a whole: that of the entry that plays, or else of the configured preset.
  var soundName: String {
    state.withLock { state in
      if let entry = state.live?[entry(&state)] { return entry.name }
      guard let choice = choice(&state) else { return "" }
      return choice.stack.presetName(bank: choice.bank, program: choice.program)
    }
  }
}
