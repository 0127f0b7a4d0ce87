// Abilities of a sampler that sessions use without knowing its type.

public import FoundationEssentials
public import UnitModel

extension LiveSetEntry: SelectableEntry {}

extension SamplerUnit: EntrySelecting {
  public var entries: [LiveSetEntry] { liveSet?.entries ?? [] }

  public func selectEntry(_ number: Int, at time: EventTime) throws {
    try select(entry: number, at: time)
  }

  /// Returns the entries played since the last call, at most the last 256.
  public func takePlayedEntries() -> [PlayedEntry] { bay.liveStatus.played.take() }

  public static func entryNumber(in settings: StateDictionary) -> Int? {
    if case .integer(let number)? = settings[SoundFontSetting.entryKey] { number } else { nil }
  }
}

extension SamplerUnit: SoundFontHolding {
  public static func soundFontFile(named name: String) throws -> URL {
    try SoundFontLocator().locate(name)
  }

  public func loadSoundFont(_ file: URL, bank: Int, program: Int) async throws {
    try await load(soundFont: file, bank: bank, program: program)
  }
}

extension SamplerUnit: ReportingUnit {
  public var counts: [UnitCount] {
    let first = firstIgnoredMessage.map { Self.hexadecimal($0) }
    return UnitCount.deferredEvents(deferredEvents, longest: longestDelayFrames) + [
      .lostMIDIEvents(lostEvents),
      UnitCount(
        "blocks of 64 frames that were skipped to keep up with controllers", skippedBlocks,
        isReportedOnce: true),
      UnitCount(
        "times that FluidSynth ended notes at once for want of voices; a higher polyphony helps",
        voiceShortages, isReportedOnce: true),
      UnitCount("selections of a number that no entry has", unknownEntrySelections),
      UnitCount(
        "SysEx messages for it that it does not carry out"
          + (first.isEmpty ? "" : ", the first F0 " + first.joined(separator: " ")),
        ignoredMessages, isReportedOnce: true),
    ]
  }

  public var soundingVoices: Int? { bay.counters.voices }

  public var soundsChosenByMIDI: String? {
    let sounds = bay.chosenNames.map { "channel \($0.channel): \($0.name)" }
    return sounds.isEmpty ? nil : sounds.joined(separator: ", ")
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  /// Returns notices of entries that began, began late or failed.
  public func takeNews() -> [UnitNotice] {
    takeLiveSetEvents().map { event in
      switch event {
      case .began(_, _, 0): UnitNotice(.done, "\(event)")
      case .began(_, _, let frames): UnitNotice(.late(frames: frames), "\(event)")
      case .failed: UnitNotice(.failed, "\(event)")
      }
    }
  }

  public var warnings: [String] {
    if soundFonts.isEmpty && entries.isEmpty {
      return ["a sampler without a SoundFont is silent; give it soundfont = \"FILE.sf2\""]
    }
    return soundFontWarnings
  }

  public func warning(atSampleRate rate: Int) -> String? {
    let range = Self.sampleRates
    if range.contains(Double(rate)) { return nil }
    return "silent at \(rate) Hz; SoundFonts play at \(Int(range.lowerBound)) to "
      + "\(Int(range.upperBound)) Hz"
  }
}
