// The sampler's keys in configurations.

public import Configuration
import SoundFontFiles
public import UnitModel

extension SamplerUnit: ConfigurableUnit {
  public static var configurationKeys: [ConfigurationKey] { SamplerConfiguration.keys }

  public static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = SamplerConfiguration(keys, &problems)
    return problems.problems
  }

  public static func entries(of keys: UnitKeys) -> [ConfiguredEntry] {
    SamplerConfiguration(keys).entries.map {
      ConfiguredEntry(number: $0.number.value, name: $0.name.value, parameters: $0.parameters)
    }
  }

  // MARK: Creation

  public static func component(
    _ component: Component, for keys: UnitKeys
  ) throws(ConfigurationProblem) -> Component {
    let configuration = SamplerConfiguration(keys)
    return self.component(
      midiStages: [], outputs: try outputs(configuration.outputs),
      channels: try channels(configuration))
  }

  /// Returns the output layout of a name; one stereo bus without a name.
  private static func outputs(
    _ name: Located<String>?
  ) throws(ConfigurationProblem) -> SamplerOutputLayout {
    guard let name else { return .stereo }
    guard let layout = SamplerOutputLayout(rawValue: name.value) else {
      throw .unknown(
        "layout", name.value, in: "'outputs'",
        accepted: SamplerOutputLayout.allCases.map(\.rawValue), at: name.location)
    }
    return layout
  }

  /// Returns the channels' setup before MIDI changes it.
  private static func channels(
    _ configuration: SamplerConfiguration
  ) throws(ConfigurationProblem) -> SamplerChannelSetup {
    var setup = SamplerChannelSetup()
    if let ranges = configuration.drumChannels?.value { setup.drumChannels = Set(ranges.joined()) }
    if let name = configuration.bankSelect {
      guard let bankSelect = BankSelect(rawValue: name.value) else {
        throw .unknown(
          "standard", name.value, in: "'bank-select'",
          accepted: BankSelect.allCases.map(\.rawValue),
          at: name.location)
      }
      setup.bankSelect = bankSelect
    }
    return setup
  }

  // MARK: Setup

  public func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    let keys = SamplerConfiguration(configuration.keys)
    if !keys.entries.isEmpty {
      return try await setUpEntries(keys, of: configuration, context)
    }
    for key in ["entry-channel", "entry-preload"] {
      if let location = configuration.keys[key]?.location {
        throw ConfigurationProblem(
          "'\(key)' without an entry", accepted: "it with at least one [[unit.entry]]",
          at: location)
      }
    }
    try await load(keys, context)
  }

  /// Loads the SoundFonts, bank and program.
  private func load(
    _ keys: SamplerConfiguration, _ context: ConfigurationContext
  ) async throws(ConfigurationProblem) {
    guard let name = keys.soundFonts.first?.file else {
      if let location = keys.sound?.location ?? keys.bank?.location ?? keys.program?.location {
        throw ConfigurationProblem(
          "a sound, bank or program without a SoundFont",
          accepted: "soundfont = \"FILE.sf2\" beside it",
          at: location)
      }
      return
    }
    let entries = try Self.stack(keys.soundFonts, context)
    do throws(SoundFontError) {
      try await load(keys, from: entries, context.loadingProgress)
    } catch {
      var location = name.location
      if error.isOfSound {
        location =
          keys.sound?.location ?? keys.program?.location ?? keys.bank?.location ?? location
      } else if let index = entries.firstIndex(where: { error.path == $0.url.path }) {
        location = keys.soundFonts[index].file.location
      }
      throw ConfigurationProblem(error.description, at: location)
    }
  }

  /// Loads the sound of the keys, and reads each file once.
  func load(
    _ keys: SamplerConfiguration, from fonts: [SoundFontEntry], _ progress: LoadingProgress?
  ) async throws(SoundFontError) {
    let sound = try await sound(of: keys, in: fonts, progress)
    try await load(
      soundFonts: fonts, bank: sound.bank, program: sound.program, progress: progress)
    withExtendedLifetime(sound.stack) {}
  }

  /// Returns the bank and program that the keys choose, with the stack if that took reading it.
  func sound(
    of keys: SamplerConfiguration, in fonts: [SoundFontEntry], _ progress: LoadingProgress?
  ) async throws(SoundFontError) -> (bank: Int, program: Int, stack: SoundFontStack?) {
    guard let name = keys.sound?.value else {
      return (keys.bank?.value ?? 0, keys.program?.value ?? 0, nil)
    }
    let sound = try await bay.sound(
      named: name, of: SynthPools.Request(fonts, progress: progress)
    ).get()
    return (sound.bank, sound.program, sound.stack)
  }

  /// Returns the files of a stack.
  static func stack(
    _ fonts: [SoundFontConfiguration], _ context: ConfigurationContext
  ) throws(ConfigurationProblem) -> [SoundFontEntry] {
    var entries: [SoundFontEntry] = []
    for font in fonts {
      do throws(SoundFontLocationError) {
        entries.append(
          SoundFontEntry(try context.find(font).url, bankOffset: font.bankOffset?.value ?? 0))
      } catch { throw ConfigurationProblem(error.description, at: font.file.location) }
    }
    return entries
  }

  // MARK: Saving

  /// Describes the whole state by keys and parameters.
  public func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    describeMaking(&keys)
    var configuration = SamplerConfiguration(keys)
    guard configuration.entries.isEmpty else {
      keys = keys.ordered(like: Self.configurationKeys)
      return true
    }
    let written = configuration.soundFonts
    let fonts = soundFonts
    configuration.soundFonts = zip(0..., fonts).map { index, font in
      if written.indices.contains(index),
        (try? context.find(written[index]))?.url.path == font.url.path,
        written[index].bankOffset?.value ?? 0 == font.bankOffset
      {
        return written[index]
      }
      return SoundFontConfiguration(
        file: Located(font.url.path, at: .nowhere),
        bankOffset: font.bankOffset == 0 ? nil : Located(font.bankOffset, at: .nowhere))
    }
    describeSound(&configuration)
    configuration.write(to: &keys)
    return true
  }

  /// Describes the sound by its name, unless the present one is written already.
  private func describeSound(_ configuration: inout SamplerConfiguration) {
    guard let choice = bay.choice else {
      (configuration.sound, configuration.bank, configuration.program) = (nil, nil, nil)
      return
    }
    let (bank, program) = (choice.bank, choice.program)
    if let written = configuration.sound?.value {
      let preset = try? choice.stack.preset(named: written)
      if preset?.bank == bank, preset?.program == program { return }
    } else if configuration.bank?.value ?? 0 == bank, configuration.program?.value ?? 0 == program {
      return
    }
    configuration.sound = sound.map { Located($0.name, at: .nowhere) }
    (configuration.bank, configuration.program) = (nil, nil)
  }

  /// Describes the outputs and channels, which are set at creation.
  private func describeMaking(_ keys: inout UnitKeys) {
    let usual = SamplerChannelSetup()
    let setup = channelSetup
    keys.describe(
      "outputs", as: .string(outputLayout.rawValue),
      usual: .string(SamplerOutputLayout.stereo.rawValue))
    keys.describe(
      "bank-select", as: .string(setup.bankSelect.rawValue),
      usual: .string(usual.bankSelect.rawValue))
    // The same channels can be written in several ways.
    let written = SamplerConfiguration(keys).drumChannels.map { Set($0.value.joined()) }
    if written ?? usual.drumChannels != setup.drumChannels {
      keys.set(
        "drum-channels",
        to: ConfigurationValue(
          .array(setup.drumChannels.sorted().map { ConfigurationValue(.integer($0)) })))
    }
  }
}
