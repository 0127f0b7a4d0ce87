// Ramps: the value on every frame, however the frames are divided.

import Realtime
import TestSupport
import Testing

@Suite struct LinearRampTests {
  @Test(arguments: [1, 2, 3, 7, 480, 1000] as [UInt32])
  func everyFrameHasItsValueAndTheLastIsExactlyTheTarget(frames: UInt32) {
    let (start, target) = (0.1, 19_999.7)
    var ramp = LinearRamp(value: start, sampleRate: 48_000)
    ramp.start(to: target, overFrames: frames)
    for k in 0..<frames {
      #expect(ramp.isRamping)
      let expected = start + (target - start) * Double(k + 1) / Double(frames)
      #expect(ramp.next() == (k == frames - 1 ? target : expected))
    }
    #expect(!ramp.isRamping)
    #expect(ramp.next() == target && ramp.value == target)
  }

  @Test(arguments: [(44_100.0, 882), (48_000, 960), (96_000, 1920), (11_025, 221), (10, 1)])
  func aRampOfNoLengthDeZippersOverTwentyMilliseconds(sampleRate: Double, frames: UInt32) {
    var ramp = LinearRamp(value: 2, sampleRate: sampleRate)
    ramp.start(to: 1, overFrames: 0)
    #expect(ramp.deZipperFrames == frames)
    #expect(ramp.value == 2 && ramp.target == 1)
    ramp.advance(by: frames - 1)
    #expect(ramp.isRamping)
    #expect(ramp.next() == 1 && !ramp.isRamping)
  }

  @Test func aDivisionOfTheFramesChangesNoValue() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<200 {
      var whole = LinearRamp(value: Double.random(in: -1...1, using: &random), sampleRate: 48_000)
      whole.start(
        to: Double.random(in: -1...1, using: &random),
        overFrames: UInt32.random(in: 1...300, using: &random))
      var divided = whole
      while whole.isRamping {
        let step = UInt32.random(in: 1...50, using: &random)
        for _ in 0..<step { _ = whole.next() }
        divided.advance(by: step)
        #expect(divided.value == whole.value && divided.isRamping == whole.isRamping)
      }
    }
  }

  @Test func aRampThatInterruptsAnotherStartsAtTheSoundingValue() {
    var ramp = LinearRamp(value: 0, sampleRate: 48_000)
    ramp.start(to: 8, overFrames: 8)
    ramp.advance(by: 3)
    ramp.start(to: 1, overFrames: 2)
    #expect(ramp.value == 3)
    #expect(ramp.next() == 2)
    #expect(ramp.next() == 1)
  }

  @Test func restingAtAValueEndsTheRamp() {
    var ramp = LinearRamp(value: 0, sampleRate: 48_000)
    ramp.start(to: 8, overFrames: 8)
    ramp.set(immediately: 5)
    #expect(ramp.value == 5 && ramp.target == 5 && !ramp.isRamping && ramp.next() == 5)
    ramp.start(to: 5, overFrames: 100)
    #expect(!ramp.isRamping)
  }
}
