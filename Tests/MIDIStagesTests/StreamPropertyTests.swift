// Random streams through random chains in time, with transport jumps and clocks that come and go:
// all that begins ends, and the period changes nothing. A stream that fails is shown as small as it
// can be made.

import MIDIStages
import TestSupport
import Testing

@Suite struct StreamPropertyTests {
  @Test(arguments: seeds(120))
  func allThatAStreamBeginsEndsWhateverThePeriod(seed: UInt64) {
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
    // Nothing ends the pedal of a channel that no stream uses.
    let pedal = ChainHappening.event(.midi([0xBF, 64, 127], at: ChainStream.length))
    let random = ChainStream.random(seed: 3)
    let stream = ChainStream(
      kinds: [], happenings: random.happenings.filter { $0.frame < ChainStream.length } + [pedal])
    #expect(stream.fault() != nil)
    #expect(shrunk(stream, \.happenings) { $0.fault() }.happenings == [pedal])
  }
}
