// Presets with mutated bytes: refused, or restored.

import Foundation
import PropertyLists
import TestSupport
import Testing
import UnitModel

@Suite struct MutatedPresetTests {
  @Test func mutatedPresetsNeitherCrashNorChangeAUnitThatRefusesThem() throws {
    let unit = try GainUnit()
    let good = Array(PropertyList.xml(unit.fullStateForDocument))
    let pieces = [
      "<dict>", "</dict>", "<array>", "&", "&#x110000;", "<!--", "]]>", "\0", "<key>", "-", "9",
    ]
    var random = SeededRandom(seed: 2)
    var accepted = 0
    for _ in 0..<10_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: bytes.removeSubrange(place...)
        case 1...3: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        case 4...7: bytes.insert(contentsOf: pieces.randomElement(using: &random)!.utf8, at: place)
        default: bytes[place] = .random(in: 0...255, using: &random)
        }
      }
      guard let state = try? PropertyList.dictionary(xml: Data(bytes)) else { continue }
      let before = unit.fullStateForDocument
      do throws(StateError) {
        try unit.setFullStateForDocument(state)
        accepted += 1
      } catch {
        // The broken mode is refused only when it is set; earlier values may have changed by then.
        if case .parameter(.refused) = error { continue }
        #expect(unit.fullStateForDocument == before)
      }
    }
    // Mutations of values within their range stay valid: the parser does not simply refuse
    // everything.
    #expect(accepted > 100)
  }
}
