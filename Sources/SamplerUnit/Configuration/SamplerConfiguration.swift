// Configuration of a sampler, beyond the keys of all units.

import Configuration

/// The sampler's keys of `[[unit]]`.
package struct SamplerConfiguration: Sendable, Equatable {
  static let keys: [ConfigurationKey] = [
    "soundfont", "soundfonts", "sound", "bank", "program", "drum-channels", "bank-select",
    "outputs",
    "entry-channel", "entry-preload", ConfigurationKey("entry", hasSections: true),
  ]

  /// The SoundFonts, the lowest of the stack first; one for the key `soundfont`.
  package var soundFonts: [SoundFontConfiguration] = []
  /// Name of the sound, in place of bank and program.
  package var sound: Located<String>?
  /// Bank, 0 to 16383.
  package var bank: Located<Int>?
  /// Program, 0 to 127.
  package var program: Located<Int>?
  /// The channels of percussion, 1 to 16; empty for none.
  var drumChannels: Located<[ClosedRange<Int>]>?
  /// Name of the standard for bank selects, as written.
  var bankSelect: Located<String>?
  /// Name of the output layout, as written.
  var outputs: Located<String>?
  /// The sounds of its live set, in the order of the file; numbers and names unique.
  package var entries: [EntryConfiguration] = []
  /// The channel whose program changes select entries, 1 to 16; nil inside for all of them.
  var entryChannel: Located<Int?>?
  /// Whether the SoundFonts of all entries are loaded at the start.
  var preloadsEntries: Located<Bool>?

  /// Reads keys that have been checked.
  package init(_ keys: UnitKeys) {
    var problems = ProblemCollector()
    self.init(keys, &problems)
  }

  /// Reads keys; those with a problem are left out.
  init(_ keys: UnitKeys, _ problems: inout ProblemCollector) {
    func attempt<Value>(
      _ key: String, _ read: (ConfigurationValue) throws(ConfigurationProblem) -> Value
    ) -> Value? {
      guard let value = keys[key] else { return nil }
      return problems.attempt { () throws(ConfigurationProblem) in try read(value) }
    }
    bank = attempt("bank") { (value) throws(ConfigurationProblem) in
      try value.integer("bank", in: PresetNumbers.banks)
    }
    program = attempt("program") { (value) throws(ConfigurationProblem) in
      try value.integer("program", in: PresetNumbers.programs)
    }
    sound = attempt("sound") { (value) throws(ConfigurationProblem) in
      try Self.sound(value, besideNumbers: keys["bank"] != nil || keys["program"] != nil)
    }
    drumChannels = attempt("drum-channels") {
      (value) throws(ConfigurationProblem) -> Located<[ClosedRange<Int>]> in
      if case .array(let members) = value.content, members.isEmpty {
        return Located([], at: value.location)
      }
      return try value.channels("drum-channels")
    }
    bankSelect = attempt("bank-select") { (value) throws(ConfigurationProblem) in
      try value.name("bank-select")
    }
    outputs = attempt("outputs") { (value) throws(ConfigurationProblem) in
      try value.name("outputs")
    }
    entryChannel = attempt("entry-channel") {
      (value) throws(ConfigurationProblem) -> Located<Int?> in
      switch value.content {
      case .string("any"): return Located(nil, at: value.location)
      case .integer(let channel) where (1...16).contains(channel):
        return Located(channel, at: value.location)
      default:
        throw ConfigurationProblem(
          "'entry-channel' is no channel", accepted: "1 to 16, \"any\"", at: value.location)
      }
    }
    preloadsEntries = attempt("entry-preload") { (value) throws(ConfigurationProblem) in
      try value.boolean("entry-preload")
    }
    soundFonts = SoundFontConfiguration.read(keys, &problems)
    entries = keys["entry"].map { EntryConfiguration.read($0, &problems) } ?? []
  }

  /// Reads the name of a sound.
  ///
  /// - Parameter isBeside: whether there is a bank or program too.
  static func sound(
    _ value: ConfigurationValue, besideNumbers isBeside: Bool
  ) throws(ConfigurationProblem) -> Located<String> {
    let name = try value.name("sound")
    guard !isBeside else {
      throw ConfigurationProblem(
        "'sound' beside 'bank' or 'program'", accepted: "a name or numbers", at: value.location)
    }
    return name
  }
}

/// Ranges of bank and program numbers of SoundFont presets.
enum PresetNumbers {
  static let banks = 0...16_383
  static let programs = 0...127
}
