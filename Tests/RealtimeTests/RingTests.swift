// A ring between two threads: every element once, in order, and none beyond its capacity.

import Foundation
import Realtime
import Testing

@Suite struct RingTests {
  @Test func aFullRingRefusesAndAnEmptyOneGivesNothing() {
    let ring = Ring<Int>(capacity: 5)
    defer { ring.deallocate() }
    #expect(ring.capacity == 8)
    for number in 0..<8 { #expect(ring.trySend(number)) }
    #expect(!ring.trySend(8))
    #expect(ring.count == 8)
    for number in 0..<8 { #expect(ring.tryReceive() == number) }
    #expect(ring.tryReceive() == nil)
  }

  @Test func twoThreadsPassEveryElementOnceAndInOrder() {
    // Two words each, so that a torn element would show.
    let ring = Ring<SIMD2<Int>>(capacity: 16)
    defer { ring.deallocate() }
    let total = 20_000
    let sender = Thread {
      var number = 0
      while number < total {
        if ring.trySend(SIMD2(number, ~number)) { number += 1 } else { sched_yield() }
      }
    }
    sender.start()
    var expected = 0
    while expected < total {
      guard let element = ring.tryReceive() else {
        sched_yield()
        continue
      }
      if element != SIMD2(expected, ~expected) {
        Issue.record("received \(element) in place of \(expected)")
        return
      }
      expected += 1
    }
    #expect(ring.tryReceive() == nil)
  }
}
