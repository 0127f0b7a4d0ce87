// The frame on which a value set without a frame took effect.

import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel

@Suite struct SentEventTests {
  @Test func theFrameOfAValueIsThatOnWhichItSounds() throws {
    let unit = try ValueUnit()
    let level = unit.parameterTree.allParameters[0]
    level.value = 1
    #expect(unit.sentEventCount == 0, "nothing renders")
    try unit.allocateRenderResources()
    let host = try DirectHost(unit, frame: 1_000)
    var random = SeededRandom(seed: 7)
    var output: [Float] = []
    var sets: [(number: Int, value: Float)] = []
    for round in 0..<2_000 {
      for value in 0..<Int.random(in: 0..<3, using: &random) {
        level.value = Float(2 + (round * 3 + value) % 90)
        sets.append((unit.sentEventCount, level.value))
        #expect(unit.frame(ofSentEvent: unit.sentEventCount) == nil)
        #expect(unit.doneEventCount < unit.sentEventCount)
      }
      output += try host.render(Int.random(in: 1..<64, using: &random))[0][0]
      #expect(unit.doneEventCount == unit.sentEventCount)
      // Of several values in one cycle the last one sounds.
      guard let last = sets.last, let frame = unit.frame(ofSentEvent: last.number) else { continue }
      #expect(output[Int(frame) - 1_000] == last.value)
      #expect(frame == 1_000 || output[Int(frame) - 1_001] != last.value)
    }
    #expect(sets.count > 1_000)
    // The frames of old events are unknown.
    #expect(unit.frame(ofSentEvent: 1) == nil)
    #expect(unit.frame(ofSentEvent: sets.count + 1) == nil)
    let known = sets.compactMap { unit.frame(ofSentEvent: $0.number) }
    #expect(known.count > 200 && known == known.sorted())
  }
}
