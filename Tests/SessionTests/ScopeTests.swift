// The frames for a scope.

import Glibc
import Testing

@testable import Session
@testable import SessionModel

@Suite struct ScopeTests {
  private static func sine(_ frequency: Double, _ rate: Double, from start: Int = 0) -> [Float] {
    (start..<start + (rate > 50_000 ? 8192 : 4096)).map {
      Float(0.3 * sin(2 * Double.pi * frequency * Double($0) / rate))
    }
  }

  /// A sine begins where it rises through 0, wherever the latest frames begin.
  @Test(arguments: [22_050.0, 44_100, 48_000, 50_000, 96_000, 192_000], [60.0, 440, 3_000])
  func whatRepeatsStands(rate: Double, frequency: Double) {
    for start in [0, 1, 37, 1_000] {
      let frames = Self.sine(frequency, rate, from: start)
      let wave = Scope.wave(frames[...], frames.map { -$0 }[...], sampleRate: rate)
      let seconds = Double(wave.left.count) / Double(wave.sampleRate)
      // At 192 kHz half of the frames are less than 25 ms.
      #expect(abs(seconds - (rate == 192_000 ? 4096 / rate : 0.025)) < 0.0001, "\(seconds)")
      #expect((22_050...50_000).contains(wave.sampleRate))
      #expect(abs(wave.peak - 0.3) < 0.01)
      #expect(wave.left.map(abs).max().map { (970...1000).contains($0) } == true)
      #expect(zip(wave.left, wave.right).allSatisfy { $0 == -$1 })
      // A frame late at most.
      let step = 2 * Double.pi * frequency / rate * 1000
      #expect((0...step + 1).contains(Double(wave.left[0])), "\(wave.left[0])")
      #expect(wave.left[1] > wave.left[0])
    }
  }

  /// The louder channel decides, its middle need not be 0, and ripples on its way up begin nothing.
  @Test func itBeginsAtTheMiddleOfTheLouderChannel() {
    func rippled(from start: Int) -> [Float] {
      let ripple = Self.sine(10_100, 48_000, from: start).map { $0 * 0.06 }
      return zip(Self.sine(100, 48_000, from: start), ripple).map { 0.5 + $0 + $1 }
    }
    let frames = rippled(from: 0)
    let quiet = Self.sine(370, 48_000).map { $0 * 0.1 }
    for (left, right) in [(frames, quiet), (quiet, frames)] {
      let wave = Scope.wave(left[...], right[...], sampleRate: 48_000)
      let samples = left == frames ? wave.left : wave.right
      let middle = 500 / wave.peak
      #expect(abs(Float(samples[0]) - middle) < 60, "\(samples[0]), \(middle)")
    }
    // Of several rises within a period it is always the same one.
    let first = Scope.wave(frames[...], frames[...], sampleRate: 48_000).left
    for start in stride(from: 0, to: 480, by: 3) {
      let frames = rippled(from: start)
      let wave = Scope.wave(frames[...], frames[...], sampleRate: 48_000)
      #expect(zip(wave.left, first).allSatisfy { abs($0 - $1) <= 2 }, "\(start)")
    }
  }

  @Test func oddFramesAreShownToo() {
    let silence = [Float](repeating: 0, count: 4096)
    let still = Scope.wave(silence[...], silence[...], sampleRate: 48_000)
    #expect(still.peak == 0 && still.left == [Int](repeating: 0, count: 1200))
    // What does not repeat is the latest.
    var click = silence
    click[4095] = -0.5
    let late = Scope.wave(click[...], silence[...], sampleRate: 48_000)
    #expect(late.left.last == -1000 && late.left.dropLast().allSatisfy { $0 == 0 })
    let odd: [Float] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.5, -0.5, 0,
    ]
    for rate in [1.0, 30, 8_000, 1e9] {
      let wave = Scope.wave(odd[...], odd.reversed()[...], sampleRate: rate)
      #expect(wave.peak == 1000 && (1...4).contains(wave.left.count))
      #expect((wave.left + wave.right).allSatisfy { abs($0) <= 1000 })
    }
  }
}
