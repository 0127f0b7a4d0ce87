// Kinds of files to play.

import Configuration
import Files
import FoundationEssentials
import Glibc
import MediaFiles

/// Kinds of files other than SoundFonts, for helpful messages.
enum PlayedKind {
  case midi
  case audio
  case configuration

  /// - Returns: nil for SoundFonts and unknown files.
  init?(_ url: URL) {
    // Data from a pipe could not be read again.
    guard let file = try? OpenFile(url.path, isRegular: true) else { return nil }
    var head = [UInt8](repeating: 0, count: 12)
    head.removeLast(12 - max(0, pread(file.descriptor, &head, 12, 0)))
    let (chunk, form) = (head.prefix(4), head.dropFirst(8))
    if chunk.elementsEqual("RIFF".utf8), form.elementsEqual("sfbk".utf8) { return nil }
    let isWrapped = chunk.elementsEqual("RIFF".utf8) && form.elementsEqual("RMID".utf8)
    if chunk.elementsEqual("MThd".utf8) || isWrapped {
      self = .midi
    } else if url.pathExtension == "toml" {
      self = .configuration
    } else if (try? AudioFileReader(contentsOf: url)) != nil {
      self = .audio
    } else {
      return nil
    }
  }

  /// Throws for a file that is not a SoundFont, with advice how to play it.
  static func refuse(_ url: URL, named name: String) throws(ConfigurationProblem) {
    guard let kind = PlayedKind(url) else { return }
    let (message, accepted) =
      switch kind {
      case .midi: ("a MIDI file, which sounds by a SoundFont", "a SoundFont")
      case .audio: ("an audio file, not a SoundFont", "an SF2 or SF3 file")
      case .configuration: ("a configuration", "auricle run \(printable(name, 200))")
      }
    throw ConfigurationProblem(message, accepted: accepted, at: SourcePosition(file: name))
  }
}
