// A live set with its SoundFonts.

import Configuration
import FluidSynthPool
import SoundFontFiles

/// A checked live set. Entries with the same SoundFonts share a stack.
struct PreparedLiveSet: Sendable {
  let set: LiveSet
  /// The settings of each entry, by its number.
  let settings: [Int: [LiveSetting]]
  /// The stacks, each once.
  let files: [[SoundFontEntry]]
  /// The stacks in memory; nil for those that are loaded on selection.
  var stacks: [SoundFontStack?]
  /// Called as files are read, also on later selections.
  let progress: LoadingProgress?
  /// The program of each entry in its stack, by its number.
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

  /// Index of an entry's stack.
  func stack(of entry: LiveSetEntry) -> Int { files.firstIndex(of: entry.soundFonts)! }

  /// Makes the table of the live set for a kernel.
  ///
  /// - Parameter pools: the prepared pools, in the order of `files`.
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
