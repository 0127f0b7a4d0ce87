// The frames of cycles, with counters that skip, step back and change.

import Realtime
import Testing

@Suite struct CycleClockTests {
  /// A counter at 48 kHz with cycles of 480 frames, 10 ms.
  private var clock = CycleClock()
  private var nanoseconds: UInt64 = 5_000_000_000

  /// Begins a cycle, some milliseconds after the last one.
  private mutating func begin(
    _ counter: UInt32, after milliseconds: UInt64 = 10, frames: UInt32 = 480
  ) -> [FrameTime] {
    nanoseconds += milliseconds * 1_000_000
    let (frame, isAfterGap) = clock.begin(
      counter, frameCount: frames, nanoseconds: nanoseconds, sampleRate: 48_000)
    return isAfterGap ? [frame, -1] : [frame]
  }

  @Test mutating func skippedCyclesAreTold() {
    #expect(begin(10_000) == [0])
    #expect(begin(10_480) == [480])
    #expect(begin(10_480 + 3 * 480, after: 30) == [1920, -1])
    #expect(begin(10_480 + 4 * 480) == [2400])
  }

  @Test mutating func cyclesThatComeLateOrEarlyAreNotSkipped() {
    #expect(begin(0) == [0])
    #expect(begin(480, after: 19) == [480])
    #expect(begin(960, after: 1) == [960])
    #expect(begin(1440) == [1440])
  }

  @Test mutating func framesNeverRepeat() {
    #expect(begin(0, frames: 1024) == [0])
    #expect(begin(512, frames: 512) == [1024])
    #expect(begin(1024, frames: 512) == [1536])
    #expect(begin(1024, frames: 512) == [2048])
    #expect(begin(1536, frames: 512) == [2560])
  }

  /// The steps of PipeWire 0.3.65 when a client is connected for the first time.
  @Test(arguments: [UInt32(94_208), UInt32(bitPattern: -384_000)])
  mutating func anotherCounterGoesOnWhereTheLastEnded(step: UInt32) {
    let start: UInt32 = 390_144
    #expect(begin(start, frames: 480) == [0])
    #expect(begin(start) == [480])
    #expect(begin(start &+ step) == [960])
    #expect(begin(start &+ step &+ 480) == [1440])
    #expect(begin(start &+ step &+ 4 * 480, after: 40) == [2880, -1])
  }

  @Test mutating func aPeriodThatChangesIsNoGap() {
    #expect(begin(0) == [0])
    #expect(begin(600, after: 13, frames: 240) == [600])
  }
}
