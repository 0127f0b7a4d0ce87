// Note names, ranges, port patterns and near misses.
import Configuration
import Testing

struct NotationTests {
  func keys(_ toml: String) throws -> ClosedRange<Int>? {
    let configuration = try SessionConfiguration(
      toml: """
        [[unit]]
        id = "a"
        component = "b"
        midi = [ { stage = "filter", keys = \(toml) } ]
        """, file: "test")
    let settings = configuration.units[0].midiStages[0].value.settings
    #expect(settings.map(\.keyPath.value) == ["keyLow", "keyHigh"])
    guard case .number(let low) = settings[0].value.value,
      case .number(let high) = settings[1].value.value
    else { return nil }
    return Int(low)...Int(high)
  }

  @Test(arguments: [
    ("\"C4\"", 60...60), ("\"C-1-G9\"", 0...127), ("\"c#2 - Bb3\"", 37...58), ("\"Cb4\"", 59...59),
    ("\"36-96\"", 36...96), ("\"36-C7\"", 36...96), ("61", 61...61), ("\"B#-1\"", 12...12),
    ("\"bb3\"", 58...58), ("\"F♯3-G♭4\"", 54...66), ("\"C##4\"", 62...62),
  ])
  func keysAreRead(_ toml: String, _ range: ClosedRange<Int>) throws {
    #expect(try keys(toml) == range)
  }

  @Test(arguments: [
    "\"\"", "\"C\"", "\"C4-\"", "\"-C4\"", "\"C4 C5\"", "\"C4--C5\"", "\"Cb-1\"", "\"G#9\"",
    "\"128\"", "\"C100\"", "\"H4\"", "\"C###4\"", "-1", "1.0", "\"٣\"",
    "\"99999999999999999999\"",
  ])
  func textsThatAreNoKeyAreRefused(_ toml: String) {
    #expect(throws: ConfigurationError.self) { try keys(toml) }
  }

  @Test(arguments: [
    ("system:playback_*", "system:playback_1", true),
    ("system:playback_*", "system:playback_", true),
    ("system:playback_*", "system:capture_1", false), ("*", "any: thing", true),
    ("a:?", "a:b", true), ("a:?", "a:", false), ("a:?", "a:bc", false),
    ("*:out_?", "x:out_1", true),
    ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("", "", true), ("", "a", false),
    ("Keys [20]:MIDI: 1", "Keys [20]:MIDI: 1", true), ("a:B", "a:b", false), ("é*", "éa", true),
    ("*ab", "aab", true), ("*a?c", "abaxc", true), ("**?", "a", true), ("**?", "", false),
  ])
  func patternsMatchWholeNames(_ pattern: String, _ name: String, _ matches: Bool) {
    #expect(PortPattern(pattern).matches(name) == matches)
  }

  @Test func aHostilePatternIsAnsweredSoon() {
    let pattern = PortPattern(String(repeating: "*a", count: 200) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 2000)))
  }

  @Test(arguments: [
    ("progam", "program"), ("Program", "program"), ("bnak", "bank"), ("preset", "preset"),
    ("bong", nil), ("x", nil), ("", nil), ("completely", nil),
  ])
  func theNearestNameIsOffered(_ written: String, _ meant: String?) {
    #expect(nearestMatch(to: written, among: ["bank", "program", "preset"]) == meant)
  }

  @Test func messagesDoNotCarryControlCharacters() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try SessionConfiguration(toml: "\"\\u001b[2J\" = 1", file: "test")
    }
    #expect(error.description.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    #expect(error.description.contains("'\\u{1b}[2J'"))
  }
}
