// A cache of the loaded SoundFonts of unchanged files.

import Configuration
import Files
import FoundationEssentials
import SoundFontFiles
import Synchronization

/// The SoundFonts of one unit that are in memory. It keeps none of them alive.
///
/// Each unit has its own: FluidSynth counts a font's users without atomics, and two units may
/// render on two threads. FluidSynth shares the samples themselves between all fonts of the same
/// file.
final class SoundFontCache: Sendable {
  private struct CacheEntry {
    let stamp: FileStamp?
    weak var soundFont: LoadedSoundFont?
  }

  private let places = Mutex<[String: CacheEntry]>([:])

  /// Returns the SoundFont of a file, from memory if it is loaded and the file has not changed.
  ///
  /// - Parameter isFresh: whether to read the file in any case.
  /// - Thread: [worker]
  func load(
    _ url: URL, isFresh: Bool, progress: LoadingProgress?
  ) throws(SoundFontError) -> LoadedSoundFont {
    let path = url.path
    let stamp = FileStamp(path: path)
    let known = places.withLock { places in
      places = places.filter { $0.value.soundFont != nil }
      return places[path].flatMap { $0.stamp == stamp ? $0.soundFont : nil }
    }
    if let known, stamp != nil, !isFresh { return known }
    let soundFont = try LoadedSoundFont(
      url, alias: SoundFontAlias.make(path: path, stamp, isFresh: isFresh), progress: progress)
    places.withLock { $0[path] = CacheEntry(stamp: stamp, soundFont: soundFont) }
    return soundFont
  }
}

/// Names of files under which FluidSynth shares samples.
///
/// FluidSynth takes files of one name for the same. A file that was written again, or is to be read
/// again, gets another name. No name leads to a file: if FluidSynth refuses checked data, it would
/// try the file itself.
enum SoundFontAlias {
  private struct Version {
    var stamp: FileStamp?
    var number = 0
  }

  private static let versions = Mutex<[String: Version]>([:])

  /// - Parameter path: absolute.
  /// - Thread: [any]
  static func make(path: String, _ stamp: FileStamp?, isFresh: Bool) -> String {
    let number = versions.withLock { versions in
      var version = versions[path] ?? Version(stamp: stamp)
      if isFresh || version.stamp != stamp {
        version.stamp = stamp
        version.number += 1
      }
      versions[path] = version
      return version.number
    }
    return "/dev/null/\(number)/\(path)"
  }
}
