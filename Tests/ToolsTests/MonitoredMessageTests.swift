// Monitored messages in words, numbers and JSON, and their selection.

import Foundation
import Testing
import Tools

@Suite struct MonitoredMessageTests {
  private func message(_ bytes: [UInt8]) -> MonitoredMessage {
    MonitoredMessage(bytes, byteCount: bytes.count)
  }

  private func line(_ bytes: [UInt8]) -> MonitoredEvent {
    MonitoredEvent(frame: 60_000, seconds: 1.25, from: .port("keys:out"), message(bytes))
  }

  @Test(
    arguments: [
      ([0x90, 60, 100], "channel 1   note on C4 (60) velocity 100"),
      ([0x9F, 0, 1], "channel 16  note on C-1 (0) velocity 1"),
      ([0x90, 127, 0], "channel 1   note off G9 (127), as note on with velocity 0"),
      ([0x82, 61, 64], "channel 3   note off C#4 (61) velocity 64"),
      ([0xA0, 60, 5], "channel 1   key pressure C4 (60) 5"),
      ([0xB0, 64, 127], "channel 1   controller 64 (sustain pedal) 127"),
      ([0xB0, 39, 3], "channel 1   controller 39 (volume, fine) 3"),
      ([0xB0, 3, 0], "channel 1   controller 3 0"),
      ([0xB0, 123, 0], "channel 1   controller 123 (all notes off) 0"),
      ([0xC9, 0], "channel 10  program 0"),
      ([0xD0, 127], "channel 1   channel pressure 127"),
      ([0xE0, 0x30, 0x49], "channel 1   pitch bend +1200"),
      ([0xE0, 0, 0x40], "channel 1   pitch bend 0"),
      ([0xE0, 0, 0], "channel 1   pitch bend -8192"),
      ([0xE0, 127, 127], "channel 1   pitch bend +8191"),
      (
        [0xF0, 0x7E, 0x7F, 9, 1, 0xF7],
        "            system exclusive 6 bytes F0 7E 7F 09 01 F7"
      ),
      ([0xF1, 0x35], "            time code quarter frame 53"),
      ([0xF2, 1, 1], "            song position 129"),
      ([0xF3, 7], "            song select 7"),
      ([0xF6], "            tune request"),
      ([0xF8], "            clock"),
      ([0xFA], "            start"),
      ([0xFB], "            continue"),
      ([0xFC], "            stop"),
      ([0xFE], "            active sensing"),
      ([0xFF], "            system reset"),
    ] as [([UInt8], String)])
  func everyKindOfMessageIsInWords(_ bytes: [UInt8], _ words: String) {
    #expect(line(bytes).text(sourceWidth: nil) == "     1.250       60000  \(words)")
  }

  @Test func severalPortsHaveAColumn() {
    #expect(
      line([0xFA]).text(sourceWidth: 10)
        == "     1.250       60000  keys:out                start")
  }

  @Test(
    arguments: [
      ([], "unknown 0 bytes"), ([0x90], "unknown 1 bytes 90"),
      ([0x90, 60], "unknown 2 bytes 90 3C"), ([60, 100], "unknown 2 bytes 3C 64"),
      ([0x90, 60, 0x80], "unknown 3 bytes 90 3C 80"), ([0x90, 200, 1], "unknown 3 bytes 90 C8 01"),
      ([0xC0, 1, 2], "unknown 3 bytes C0 01 02"), ([0xF4], "unknown 1 bytes F4"),
      ([0xF7], "unknown 1 bytes F7"), ([0xFD], "unknown 1 bytes FD"),
      ([0xF8, 0xF8], "unknown 2 bytes F8 F8"), ([0xF0], "system exclusive 1 bytes F0"),
    ] as [([UInt8], String)])
  func bytesThatAreNoWholeMessageAreShown(_ bytes: [UInt8], _ words: String) throws {
    #expect(line(bytes).text(sourceWidth: nil).hasSuffix("  \(words)"))
    #expect(message(bytes).channel == nil && !message(bytes).isContinual)
    _ = try JSONEncoder().encode(line(bytes))
  }

  @Test func anyBytesAreTaken() {
    for first in UInt8.min...UInt8.max {
      for second in [0, 64, 127, 128, 255] as [UInt8] {
        for bytes in [[first], [first, second], [first, second, second]] {
          #expect(!line(bytes).text(sourceWidth: nil).contains("\n"))
        }
      }
    }
  }

  @Test func aHugeSystemExclusiveIsShownByItsBeginning() throws {
    let bytes = [0xF0] + [UInt8](repeating: 1, count: 19)
    let huge = MonitoredMessage(bytes, byteCount: 1_000_000)
    let ones = Array(repeating: "01", count: 19).joined(separator: " ")
    #expect(huge.detail == "1000000 bytes F0 \(ones) …")
    #expect(huge.numbers == ["byteCount": 1_000_000])
  }

  @Test(
    arguments: [
      (
        [0x91, 60, 100],
        #"{"bytes":[145,60,100],"channel":2,"frame":60000,"key":60,"kind":"note","#
          + #""message":"note on","port":"keys:out","seconds":1.25,"velocity":100}"#
      ),
      (
        [0xE0, 0, 0],
        #"{"bend":-8192,"bytes":[224,0,0],"channel":1,"frame":60000,"kind":"bend","#
          + #""message":"pitch bend","port":"keys:out","seconds":1.25}"#
      ),
      (
        [0xF0, 1, 0xF7],
        #"{"byteCount":3,"bytes":[240,1,247],"frame":60000,"kind":"sysex","#
          + #""message":"system exclusive","port":"keys:out","seconds":1.25}"#
      ),
      (
        [0x90],
        #"{"bytes":[144],"frame":60000,"kind":"system","message":"unknown","port":"keys:out","#
          + #""seconds":1.25}"#
      ),
    ] as [([UInt8], String)])
  func jsonHasTheNumbersAndTheBytes(_ bytes: [UInt8], _ text: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    #expect(String(decoding: try encoder.encode(line(bytes)), as: UTF8.self) == text)
  }

  private static let samples: [[UInt8]] = [
    [0x90, 60, 100], [0x81, 60, 0], [0xA0, 60, 1], [0xB1, 1, 1], [0xC0, 1], [0xD0, 1],
    [0xE0, 0, 0], [0xF0, 0xF7], [0xFA], [0xF8], [0xFE],
  ]

  private func shown(_ filter: MonitorFilter) -> [Int] {
    Self.samples.indices.filter { filter.shows(message(Self.samples[$0])) }
  }

  @Test func clockAndActiveSensingAreHiddenAtFirst() {
    #expect(shown(MonitorFilter()) == Array(0...8))
    #expect(shown(MonitorFilter(showsContinual: true)) == Array(0...10))
    #expect(shown(MonitorFilter(kinds: [.system])) == [8])
    #expect(shown(MonitorFilter(kinds: [.system], showsContinual: true)) == [8, 9, 10])
  }

  @Test(
    arguments: [
      (.note, [0, 1]), (.controller, [3]), (.program, [4]), (.bend, [6]), (.pressure, [2, 5]),
      (.sysex, [7]), (.system, [8]),
    ] as [(MonitoredMessage.Kind, [Int])])
  func aKindIsShownAlone(_ kind: MonitoredMessage.Kind, _ expected: [Int]) {
    #expect(shown(MonitorFilter(kinds: [kind])) == expected)
  }

  @Test func aChannelIsShownAloneAndWithKinds() {
    #expect(shown(MonitorFilter(channel: 2)) == [1, 3])
    #expect(shown(MonitorFilter(kinds: [.note, .bend], channel: 1)) == [0, 6])
    #expect(shown(MonitorFilter(channel: 16)).isEmpty)
  }
}
