// The files of `auricle play`, by their kinds.

import Configuration
import FoundationEssentials

/// A SoundFont, and the files to play.
struct PlayMaterial {
  /// The SoundFont's name, if one is given.
  private(set) var soundFont: String?
  private(set) var items: [PlayItem] = []
  /// Files of folders that cannot be played, a line each.
  private(set) var warnings: [String] = []

  /// - Throws: for a file that cannot be played, unless it is one of a folder.
  init(_ options: PlayOptions) throws(PlayError) {
    for name in options.files {
      let url = URL(fileURLWithPath: name)
      switch PlayedKind(url) {
      case .midi: items.append(try PlayItem(song: url))
      case .audio: items.append(try PlayItem(audio: url))
      case .folder: try add(folder: url, named: name)
      case .configuration:
        throw PlayError(
          "a configuration", accepted: "auricle run \(printable(name, 200))", in: name)
      case .soundFont:
        if let soundFont {
          throw PlayError(
            "neither music nor the first SoundFont, which is \(quoted(soundFont))",
            accepted: "one SoundFont, MIDI files, audio files and folders of them", in: name)
        }
        soundFont = name
      }
    }
  }

  /// Adds the MIDI files and audio files of a folder, in the order of their names.
  private mutating func add(folder: URL, named name: String) throws(PlayError) {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw PlayError("cannot be read", accepted: "a folder that you may read", in: name)
    }
    let count = items.count
    for name in names.sorted(by: { Self.order($0) < Self.order($1) }) where !name.hasPrefix(".") {
      let url = folder.appendingPathComponent(name)
      do throws(PlayError) {
        switch PlayedKind(url) {
        case .midi: items.append(try PlayItem(song: url))
        case .audio: items.append(try PlayItem(audio: url))
        case .folder, .configuration, .soundFont: break
        }
      } catch { warnings.append("\(error); it is left out") }
    }
    guard items.count > count else {
      throw PlayError(
        "no MIDI file and no audio in this folder", accepted: "a folder with files to play",
        in: name)
    }
  }

  /// Returns a text by which names are in the order that people expect: "2" before "10".
  private static func order(_ name: String) -> String {
    var text = ""
    var digits = ""
    for character in name.lowercased() + "\0" {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      if !digits.isEmpty {
        text += String(repeating: "0", count: max(0, 20 - digits.count)) + digits
      }
      digits = ""
      text.append(character)
    }
    return text
  }
}

extension PlayError {
  init(_ message: String, accepted: String? = nil, in file: String) {
    self = .configuration(
      ConfigurationError(
        ConfigurationProblem(message, accepted: accepted, at: SourcePosition(file: file))))
  }
}
