// Random streams through random chains over time, with transport jumps and intermittent clocks. All
// notes end, and the period changes nothing. A failing stream is printed in reduced form.

import MIDIStages
import TestSupport
import Testing

@Suite struct StreamPropertyTests {
  @Test(arguments: seeds(120))
  func allNotesOfAStreamEndAtAnyPeriod(seed: UInt64) {
    let stream = ChainStream.random(seed: seed)
    guard stream.fault() != nil else { return }
    let small = shrunk(stream, \.happenings) { $0.fault() }
    Issue.record(
      """
      seed \(seed), \(small.kinds.map { "\($0)" }.joined(separator: " > ")): \(small.fault() ?? "")
      \(small.happenings.map { "\($0)" }.joined(separator: "\n"))
      """)
  }

  @Test func aFailingStreamIsMadeSmall() {
    // No event ends the pedal of a channel outside of the streams.
    let pedal = ChainHappening.event(.midi([0xBF, 64, 127], at: ChainStream.length))
    let random = ChainStream.random(seed: 3)
    let stream = ChainStream(
      kinds: [], happenings: random.happenings.filter { $0.frame < ChainStream.length } + [pedal])
    #expect(stream.fault() != nil)
    #expect(shrunk(stream, \.happenings) { $0.fault() }.happenings == [pedal])
  }
}
