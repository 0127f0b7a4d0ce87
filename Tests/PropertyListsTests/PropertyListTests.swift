// Property lists: written values read back, and harmless refusals.

import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite struct PropertyListTests {
  static func value(_ random: inout SeededRandom, depth: Int = 0) -> PropertyListValue {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: .boolean(.random(using: &random))
    case 1: .integer(.random(in: .min ... .max, using: &random))
    case 2: .real(Double(Float(bitPattern: .random(in: 0...0x7F7F_FFFF, using: &random))))
    case 3: .string(text(&random))
    case 4:
      .data(
        Data((0..<Int.random(in: 0..<9, using: &random)).map { UInt8(truncatingIfNeeded: $0 * 37) })
      )
    case 5:
      .date(Date(timeIntervalSince1970: .random(in: 0...2_000_000_000, using: &random).rounded()))
    case 6: .array((0..<3).map { _ in value(&random, depth: depth + 1) })
    default: .dictionary(dictionary(&random, depth: depth + 1))
    }
  }

  static func text(_ random: inout SeededRandom) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let pool: [ClosedRange<UInt32>] = [0...0x20, 0x21...0x7E, 0xA0...0x2FF, 0x1F300...0x1F5FF]
      let range = pool.randomElement(using: &random)!
      text.unicodeScalars.append(Unicode.Scalar(.random(in: range, using: &random))!)
    }
    return text
  }

  static func dictionary(_ random: inout SeededRandom, depth: Int = 0) -> [String:
    PropertyListValue]
  {
    var dictionary: [String: PropertyListValue] = [:]
    for _ in 0..<4 { dictionary[text(&random)] = value(&random, depth: depth) }
    return dictionary
  }

  @Test func writtenListsReadBackEqual() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<300 {
      let list = Self.dictionary(&random)
      #expect(try PropertyList.dictionary(xml: PropertyList.xml(list)) == list)
    }
  }

  @Test func faultsNameTheirLine() {
    func fault(_ text: String) -> PropertyList.Fault? {
      do throws(PropertyList.Fault) {
        _ = try PropertyList.dictionary(xml: Data(text.utf8))
        return nil
      } catch { return error }
    }
    #expect(fault("<plist>\n<dict>\n<key>a</key>\n<real>x</real>")?.line == 4)
    for text in [
      "", "<plist>", "<plist/>", "<plist></plist>", "<plist><dict/></plist>x", "<dict/>",
      "<plist><dict><integer>1</integer></dict></plist>",
      "<plist><dict><key>a</key></dict></plist>",
      "<plist><dict><key>a</key><integer>99999999999999999999</integer></dict></plist>",
      "<plist><dict><key>a</key><date>today</date></dict></plist>",
      "<plist><dict><key>a</key><string>&unknown;</string></dict></plist>",
      "<plist><dict><key>a</key><string>&#xD800;</string></dict></plist>",
      "<plist><dict><key>a</key><string>&amp</string></dict></plist>",
      "<plist><dict><key>a</key><string>x</key></dict></plist>",
      "<plist><dict><!-- </dict></plist>", "<plist><dict>&amp;</dict></plist>",
    ] {
      #expect(fault(text) != nil, "\(text)")
    }
    #expect(
      fault("<?xml?><!-- - --><plist ><dict ><key/><string><![CDATA[<&]]></string ></dict></plist>")
        == nil)
  }

  @Test func nestingHasALimit() throws {
    func nested(_ depth: Int) -> Data {
      let open = String(repeating: "<array>", count: depth)
      let close = String(repeating: "</array>", count: depth)
      return Data("<plist><dict><key>a</key>\(open)\(close)</dict></plist>".utf8)
    }
    _ = try PropertyList.dictionary(xml: nested(63))
    #expect(throws: PropertyList.Fault.self) { try PropertyList.dictionary(xml: nested(64)) }
    #expect(throws: PropertyList.Fault.self) { try PropertyList.dictionary(xml: nested(200_000)) }
  }
}
