// Frame time continues when a 32-bit counter wraps.

import Realtime
import Testing

@Suite struct FrameClockTests {
  @Test func theFirstCounterIsFrameZero() {
    var clock = FrameClock()
    #expect(clock.extend(123_456) == 0)
    #expect(clock.extend(123_456) == 0)
    #expect(clock.extend(123_500) == 44)
  }

  @Test func aCounterThatGoesRoundDoesNotShow() {
    var clock = FrameClock()
    var counter: UInt32 = 0xFFFF_F000
    var time: FrameTime = 0
    _ = clock.extend(counter)
    // About 12 wraps, in steps of every size up to the largest allowed.
    for step: UInt32 in [1, 64, 1024, 8192, 1 << 20, 1 << 30, (1 << 31) - 1] {
      for _ in 0..<16 {
        counter &+= step
        time += FrameTime(step)
        #expect(clock.extend(counter) == time)
      }
    }
    #expect(time > 8 << 32)
  }

  @Test func aCounterThatFallsBackTakesTimeBack() {
    var clock = FrameClock()
    _ = clock.extend(10)
    #expect(clock.extend(0xFFFF_FFFF) == -11)
    #expect(clock.extend(20) == 10)
  }
}
