// Conversion between preset names and file names.

import Foundation

/// File names of presets: the name in UTF-8, with `%XX` for characters that are invalid in a file
/// name or would hide the file. Different names give different files.
enum PresetFileName {
  static let suffix = ".aupreset"
  private static let maximumBytes = 255

  /// Returns the file name; nil if the name is empty, has control characters or is too long.
  static func make(name: String) -> String? {
    guard let stem = escape(name), stem.utf8.count + suffix.utf8.count <= maximumBytes else {
      return nil
    }
    return stem + suffix
  }

  /// Escapes one path component; nil for empty texts and control characters.
  static func escape(_ name: String) -> String? {
    // Normalise: names that look the same name the same preset, whatever their encoding.
    let name = name.precomposedStringWithCanonicalMapping
    guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.properties.isControl }) else {
      return nil
    }
    var escaped = ""
    for (place, scalar) in name.unicodeScalars.enumerated() {
      if scalar == "/" || scalar == "%" || (scalar == "." && place == 0) {
        escaped += "%" + String(scalar.value, radix: 16, uppercase: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the preset name of a file; nil if it is not a visible `.aupreset` file.
  static func presetName(file: String) -> String? {
    guard file.hasSuffix(suffix), !file.hasPrefix("."), file.utf8.count > suffix.utf8.count else {
      return nil
    }
    let stem = String(file.dropLast(suffix.count))
    let name = (stem.removingPercentEncoding ?? stem).precomposedStringWithCanonicalMapping
    return name.unicodeScalars.contains { $0.properties.isControl } ? nil : name
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
