// Names of MIDI keys.

/// Names of MIDI keys: C4 is key 60, so that C-1 is key 0 and G9 key 127.
public enum NoteName {
  /// The names of the keys from C to B, black keys with a sharp.
  package static let sharps = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
  /// The names of the keys from C to B, black keys with a flat.
  package static let flats = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]

  /// Returns the key of a name such as "C4" or "Bb3", even beyond MIDI's range; nil for other text.
  ///
  /// - Thread: [any]
  public static func key(_ name: String) -> Int? {
    var rest = name[...]
    guard let key = parse(&rest), rest.isEmpty else { return nil }
    return key
  }

  /// Returns the name of a key, 0 to 127; black keys with a sharp.
  ///
  /// - Thread: [any]
  public static func name(_ key: Int) -> String { "\(sharps[key % 12])\(key / 12 - 1)" }

  /// Removes a note name from the front of `rest` and returns its key, possibly out of MIDI's
  /// range.
  ///
  /// A name is a letter, up to two accidentals, and an octave of up to two digits, possibly
  /// negative. If there is none, `rest` is unchanged and the result nil.
  package static func parse(_ rest: inout Substring) -> Int? {
    var text = rest
    let semitones: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]
    guard let letter = text.popFirst(), let step = semitones[Character(letter.lowercased())]
    else { return nil }
    var key = step
    let maximumAccidentals = 2
    for _ in 0..<maximumAccidentals {
      guard let sign = text.first, let shift = accidentals[sign] else { break }
      key += shift
      text.removeFirst()
    }
    let isNegative = text.first == "-"
    if isNegative { text.removeFirst() }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let maximumDigits = 2
    guard (1...maximumDigits).contains(digits.count), let octave = Int(digits) else { return nil }
    rest = text.dropFirst(digits.count)
    return key + 12 * ((isNegative ? -octave : octave) + 1)
  }

  private static let accidentals: [Character: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]
}
