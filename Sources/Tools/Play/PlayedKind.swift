// Kinds of files to play.

import Files
import FoundationEssentials
import Glibc
import MediaFiles

/// Kinds of files.
enum PlayedKind {
  case midi
  case audio
  case configuration
  case folder
  /// A SoundFont, or a file of no known kind.
  case soundFont

  private static let midiExtensions: Set<String> = ["mid", "midi", "rmi"]
  private static let audioExtensions: Set<String> = [
    "wav", "flac", "ogg", "oga", "opus", "mp3", "aiff", "aif", "aifc", "caf", "au", "w64", "rf64",
  ]

  /// Finds the kind by the file's content, and by its name if the content tells nothing.
  init(_ url: URL) {
    var isFolder = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder {
      self = .folder
      return
    }
    let ending = url.pathExtension.lowercased()
    if ending == "toml" {
      self = .configuration
    } else if let kind = Self(contentOf: url) {
      self = kind
    } else if Self.midiExtensions.contains(ending) {
      self = .midi
    } else if Self.audioExtensions.contains(ending) {
      self = .audio
    } else {
      self = .soundFont
    }
  }

  private init?(contentOf url: URL) {
    // Data from a pipe could not be read again.
    guard let file = try? OpenFile(url.path, isRegular: true) else { return nil }
    var head = [UInt8](repeating: 0, count: 12)
    head.removeLast(12 - max(0, pread(file.descriptor, &head, 12, 0)))
    let (chunk, form) = (head.prefix(4), head.dropFirst(8))
    let isRIFF = chunk.elementsEqual("RIFF".utf8)
    if isRIFF, form.elementsEqual("sfbk".utf8) {
      self = .soundFont
    } else if chunk.elementsEqual("MThd".utf8) || isRIFF && form.elementsEqual("RMID".utf8) {
      self = .midi
    } else if (try? AudioFileReader(contentsOf: url)) != nil {
      self = .audio
    } else {
      return nil
    }
  }
}
