// Conversion between preset names and file names.

/// File names of presets: the name in UTF-8, with `%XX` for characters that are invalid in a file
/// name or would hide the file. Different names give different files; texts that are canonically
/// equivalent, as an "é" of one character and of two, are one name.
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
    guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.properties.isControl }) else {
      return nil
    }
    var escaped = ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      if scalar == "/" || scalar == "%" || (scalar == "." && index == 0) {
        escaped += "%" + String(scalar.value, radix: 16, uppercase: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Resolves `%XX`; nil if a `%` is followed by something else or the result is no UTF-8.
  private static func unescape(_ stem: String) -> String? {
    var (bytes, rest) = ([UInt8](), Array(stem.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the preset name of a file; nil if it is not a visible `.aupreset` file.
  static func presetName(file: String) -> String? {
    guard file.hasSuffix(suffix), !file.hasPrefix("."), file.utf8.count > suffix.utf8.count else {
      return nil
    }
    let stem = String(file.dropLast(suffix.count))
    let name = unescape(stem) ?? stem
    return name.unicodeScalars.contains { $0.properties.isControl } ? nil : name
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
