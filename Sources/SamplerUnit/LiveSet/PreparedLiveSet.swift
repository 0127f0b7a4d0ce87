// A live set with its SoundFonts.

import FluidSynthPool

/// A live set that was checked. Entries with the same SoundFonts share a stack.
struct PreparedLiveSet: Sendable {
  let set: LiveSet
  /// The settings of each entry, by its number.
  let settings: [Int: [LiveSetting]]
  /// The stacks, each once.
  let files: [[SoundFontEntry]]
  /// The stacks in memory; nil for those that are loaded when they are selected.
  var stacks: [SoundFontStack?]
  /// Told how far files are read, also later.
  let progress: LoadingProgress?
  /// What each entry plays of its stack.
  var configured: [Int: ConfiguredProgram] = [:]

  init(_ set: LiveSet, settings: [Int: [LiveSetting]], progress: LoadingProgress? = nil) {
    self.set = set
    self.progress = progress
    self.settings = settings
    var files: [[SoundFontEntry]] = []
    for entry in set.entries where !files.contains(entry.soundFonts) {
      files.append(entry.soundFonts)
    }
    self.files = files
    stacks = files.map { _ in nil }
  }

  subscript(number: Int) -> LiveSetEntry? { self.set.entries.first { $0.number == number } }

  /// Which of the stacks an entry plays.
  func stack(of entry: LiveSetEntry) -> Int { files.firstIndex(of: entry.soundFonts)! }

  /// The live set for a kernel.
  ///
  /// - Parameter pools: the pools at hand, in the order of `files`.
  func makeTable(pools: [UnsafeMutablePointer<SynthPool>?]) -> LiveTable {
    var entries: [Int: LiveEntry] = [:]
    var all: [LiveSetting] = []
    for entry in set.entries {
      var live = LiveEntry()
      live.stack = stack(of: entry)
      live.configured = configured[entry.number] ?? ConfiguredProgram()
      live.firstSetting = all.count
      let settings = self.settings[entry.number] ?? []
      live.settingCount = settings.count
      all += settings
      entries[entry.number] = live
    }
    return LiveTable(
      channel: set.channel.map { $0 - 1 } ?? -1, entries: entries, settings: all, pools: pools)
  }
}
