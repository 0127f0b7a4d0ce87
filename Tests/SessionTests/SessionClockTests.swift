// Frames of a session and the host's clock.

import Testing

@testable import Session

@Suite struct SessionClockTests {
  private let clock = SessionClock(
    frame: 96_256, period: 256, sampleRate: 48_000, hostTimeOfFrameZero: 5_000_000_000)

  @Test func framesAreTimesOfTheHostsClock() {
    #expect(clock.hostTime(atFrame: 0) == 5_000_000_000)
    #expect(clock.hostTime(atFrame: 48_000) == 6_000_000_000)
    #expect(clock.hostTime(atFrame: -48_000) == 4_000_000_000)
    #expect(clock.frame(atHostTime: 7_000_000_000) == 96_000)
    #expect(clock.frame(atHostTime: 4_500_000_000) == -24_000)
    for frame in [1, 7, 12_345, 1 << 40] as [Int64] {
      #expect(clock.hostTime(atFrame: frame).flatMap { clock.frame(atHostTime: $0) } == frame)
    }
  }

  @Test func extremeTimesAreLimited() {
    #expect(clock.hostTime(atFrame: .min) == 0 && clock.hostTime(atFrame: -48_000 * 6) == 0)
    #expect(clock.hostTime(atFrame: .max) == .max)
    #expect(clock.frame(atHostTime: 0) == -240_000)
    #expect(clock.frame(atHostTime: .max).map { $0 > 1 << 48 } == true)
    let early = SessionClock(
      frame: 0, period: 256, sampleRate: 48_000, hostTimeOfFrameZero: -5_000_000_000)
    #expect(early.frame(atHostTime: .max) == .max)
    #expect(SessionClock.frame(atSeconds: .infinity, 48_000) == 1 << 62)
    #expect(SessionClock.frame(atSeconds: -.infinity, 48_000) == -1 << 62)
    #expect(SessionClock.frame(atSeconds: .nan, 48_000) == nil)
  }

  @Test func aClockOfItsOwnHasNoHostTimes() {
    let clock = SessionClock(frame: 0, period: 256, sampleRate: 48_000)
    #expect(clock.hostTime(atFrame: 0) == nil && clock.frame(atHostTime: 0) == nil)
  }
}
