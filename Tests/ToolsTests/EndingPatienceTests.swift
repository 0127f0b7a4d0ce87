// Patience with a program's end, which is shorter while a processor is idle.

import Testing

@testable import Tools

@Suite struct EndingPatienceTests {
  /// Returns the steps of an eighth of a second until patience ends, with so many idle processors.
  private func steps(idleProcessors: Double?) -> Int {
    var patience = EndingPatience()
    var steps = 0
    while !patience.isAtEnd {
      patience.spend(0.125, idleSeconds: idleProcessors.map { $0 * 0.125 })
      steps += 1
    }
    #expect(patience.seconds == Double(steps) * 0.125)
    return steps
  }

  @Test func anEndWithAnIdleProcessorHasThreeSeconds() {
    #expect(steps(idleProcessors: 1) == 24)
    // More idle processors do not shorten it.
    #expect(steps(idleProcessors: 64) == 24)
    #expect(steps(idleProcessors: nil) == 24)
  }

  @Test func anEndOnABusyMachineHasMore() {
    #expect(steps(idleProcessors: 0.5) == 48)
    #expect(steps(idleProcessors: 0) == 120)
  }

  @Test func timesAreThoseOfTheKernel() throws {
    let text = "cpu  10 20 30 400 500 6 7 8 9 1\ncpu0 1 2 3 4 5 6 7 8 9 1\n"
    let former = try #require(ProcessorTimes(text, ticksPerSecond: 100))
    #expect(former.idle == 9 && abs(former.total - 9.81) < 1e-9)
    let later = try #require(
      ProcessorTimes("cpu  60 20 30 425 500 6 7 8 9 1\n", ticksPerSecond: 100))
    #expect(later.idleSeconds(since: former) == 0.25)
    // If no time has passed, the idle time is unknown.
    #expect(former.idleSeconds(since: former) == nil)
    #expect(ProcessorTimes("intr 5\n", ticksPerSecond: 100) == nil)
    #expect(ProcessorTimes.now() != nil)
  }
}
