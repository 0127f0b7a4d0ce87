// Valid and invalid names of JACK clients and units.

import Configuration
import Testing

@Suite struct NameTests {
  @Test(arguments: ["a", "Zoë's filter", "a.b (2)", String(repeating: "n", count: 63)])
  func aClientMayHaveThisName(text: String) throws {
    #expect(try ClientName(text).text == text)
  }

  @Test(arguments: [
    "", "a:b", "a/b", "a\u{1B}[2J", String(repeating: "n", count: 64),
    String(repeating: "ö", count: 32),
  ])
  func aClientMayNotHaveThisName(text: String) {
    #expect { try ClientName(text) } throws: {
      "\($0)".hasPrefix("\(quoted(text)) cannot name a JACK client")
        && "\($0)".hasSuffix("; accepted: 1 to 63 bytes without ':', '/' and control characters")
    }
  }

  @Test func anErrorGivesTheLengthAndTheLimit() {
    #expect { try ClientName("twelve bytes", maximumBytes: 11) } throws: {
      "\($0)".contains(": it has 12 bytes; accepted: 1 to 11 bytes")
    }
  }

  @Test(arguments: ["a", "A-b_9", String(repeating: "n", count: 64)])
  func aUnitMayHaveThisName(text: String) throws {
    #expect(try UnitName(text).text == text)
  }

  @Test(arguments: [
    ("", "cannot name ports"), ("a b", "cannot name ports"), ("a/b", "cannot name ports"),
    ("ä", "cannot name ports"), (String(repeating: "n", count: 65), "cannot name ports"),
    ("control", "where the controllers of [[map]] come in"),
    ("physical", "how connections name the machine's own ports"),
  ])
  func aUnitMayNotHaveThisName(text: String, reason: String) {
    #expect { try UnitName(text) } throws: { "\($0)".contains(reason) }
    #expect {
      try SessionConfiguration(
        toml: "[[unit]]\nid = \"\(text)\"\ncomponent = \"x\"\n", file: "t.toml")
    } throws: {
      "\($0)".hasPrefix("t.toml:2:6: ") && "\($0)".contains(reason)
    }
  }
}
