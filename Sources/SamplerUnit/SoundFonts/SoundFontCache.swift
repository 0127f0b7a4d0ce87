// Finds out whether a file was loaded before, and is the same still.

import Foundation
import Synchronization

/// Which file a path led to, and which version of it.
struct FileIdentity: Hashable, Sendable {
  private let numbers: [Int]

  /// - Returns: nil when there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    numbers = [
      Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)),
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
  }
}

/// The SoundFonts of one unit that are in memory. It keeps none of them alive.
///
/// Each unit has its own: FluidSynth counts a font's users without atomics, and two units may be rendered
/// on two threads. The samples themselves FluidSynth shares between all that load the same file.
final class SoundFontCache: Sendable {
  private struct Place {
    let identity: FileIdentity?
    weak var soundFont: LoadedSoundFont?
  }

  private let places = Mutex<[String: Place]>([:])

  /// The SoundFont of a file, from memory if it is there and the file has not changed.
  ///
  /// - Parameter isFresh: reads the file in any case.
  /// - Thread: [worker]
  func load(
    _ url: URL, isFresh: Bool, progress: LoadingProgress?
  ) throws(SoundFontError) -> LoadedSoundFont {
    let path = url.path
    let identity = FileIdentity(path: path)
    let known = places.withLock { places in
      places = places.filter { $0.value.soundFont != nil }
      return places[path].flatMap { $0.identity == identity ? $0.soundFont : nil }
    }
    if let known, identity != nil, !isFresh { return known }
    let soundFont = try LoadedSoundFont(
      url, alias: SoundFontAlias.make(path: path, identity, isFresh: isFresh), progress: progress)
    places.withLock { $0[path] = Place(identity: identity, soundFont: soundFont) }
    return soundFont
  }
}

/// Names for files under which FluidSynth shares samples.
///
/// FluidSynth takes files of one name for the same. A file that was written again, or is to be read again, gets
/// another. None leads to a file: where FluidSynth does not take what was checked, it would try the file itself.
enum SoundFontAlias {
  private struct Version {
    var identity: FileIdentity?
    var number = 0
  }

  private static let versions = Mutex<[String: Version]>([:])

  /// - Parameter path: absolute.
  /// - Thread: [any]
  static func make(path: String, _ identity: FileIdentity?, isFresh: Bool) -> String {
    let number = versions.withLock { versions in
      var version = versions[path] ?? Version(identity: identity)
      if isFresh || version.identity != identity {
        version.identity = identity
        version.number += 1
      }
      versions[path] = version
      return version.number
    }
    return "/dev/null/\(number)/\(path)"
  }
}
