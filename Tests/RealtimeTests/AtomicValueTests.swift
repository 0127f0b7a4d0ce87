// Counters and floats shared by threads.

import Foundation
import Realtime
import Testing

@Suite struct AtomicValueTests {
  @Test func noCountIsLostBetweenThreads() {
    let counters = AtomicCounters(count: 2)
    defer { counters.deallocate() }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<10_000 { counters.add(1, to: 1) }
    }
    #expect(counters[1] == 40_000)
    #expect(counters.takeAll(1) == 40_000)
    #expect(counters[1] == 0)
    #expect(counters[0] == 0)
  }

  @Test func aFloatIsReadAsItWasWritten() {
    let floats = AtomicFloats(count: 1)
    defer { floats.deallocate() }
    let values: [Float] = [1.5, -2.25e-30, .greatestFiniteMagnitude]
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for step in 0..<20_000 {
        if thread == 0 {
          floats[0] = values[step % 3]
        } else {
          let value = floats[0]
          if value != 0 && !values.contains(value) { Issue.record("read \(value)") }
        }
      }
    }
  }
}
