// Pitch and time of the output.

import Foundation
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@testable import TimePitchUnit

@Suite struct TimePitchSoundTests {
  /// Returns a sine's frequency as a part of the sample rate, by its phase, and its amplitude.
  private func measure(_ signal: [Float], near frequency: Double) -> (Double, Double) {
    let length = 4096
    func phasor(at start: Int) -> (Double, Double) {
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<length {
        let window = 1 - cos(2 * .pi * Double(index) / Double(length))
        let angle = 2 * .pi * frequency * Double(start + index)
        real += Double(signal[start + index]) * cos(angle) * window
        imaginary -= Double(signal[start + index]) * sin(angle) * window
      }
      return (real, imaginary)
    }
    // Steps short enough to follow the phase over the whole signal.
    var turns = 0.0
    let step = 512
    var last = phasor(at: 0)
    var (start, sum, count) = (step, hypot(last.0, last.1), 1.0)
    while start + length <= signal.count {
      let next = phasor(at: start)
      turns += atan2(next.1 * last.0 - next.0 * last.1, next.0 * last.0 + next.1 * last.1)
      sum += hypot(next.0, next.1)
      count += 1
      last = next
      start += step
    }
    let frames = Double(start - step)
    return (frequency + turns / (2 * .pi * frames), 2 * sum / count / Double(length))
  }

  @Test(arguments: [0.25, 0.77, 1, 2, 4] as [Float])
  func aSineHasThePitchThatIsSetWithinACent(rate: Float) throws {
    // No pitch equals the rate: Rubber Band would then use the phases of the input, and move some.
    for pitch: Float in [-2300, -350, 700, 2300] {
      let frequency = 1000.0 / 48_000
      let sine = (0..<210_000).map { Float(0.5 * sin(2 * .pi * frequency * Double($0))) }
      let unit = try offlineUnit(rate: rate, pitch: pitch)
      var run = try TimeRun(unit, [sine])
      try run.render(50_000)
      let expected = frequency * pow(2, Double(pitch) / 1200)
      let (found, level) = measure(Array(run.output[0][30_000...]), near: expected)
      let cents = 1200 * log2(found / expected)
      #expect(abs(cents) < 1, "rate \(rate), pitch \(pitch): \(cents) cents beside")
      let decibels = 20 * log10(level / 0.5)
      #expect(abs(decibels) < 1.5, "rate \(rate), pitch \(pitch): \(decibels) dB")
    }
  }

  /// Returns the frames on which bursts begin.
  private func onsets(_ signal: [Float]) -> [Int] {
    var found: [Int] = []
    for (frame, sample) in signal.enumerated() where abs(sample) > 0.15 {
      if found.isEmpty || frame - found.last! > 3_000 { found.append(frame) }
    }
    return found
  }

  @Test func clicksAreInTimeWithinFiveMillisecondsForMinutes() throws {
    let spacing = 24_000
    let seconds = 80
    var clicks = Signal.silence(frames: seconds * 48_000)
    var at = 12_000
    while at < clicks.count {
      for index in 0..<200 {
        clicks[at + index] = Float(sin(Double(index) * 0.8) * exp(-Double(index) / 40))
      }
      at += spacing
    }
    // A rate of 0.77, and a ramp to 1.4 and back in the middle.
    let unit = try offlineUnit(rate: 0.77, pitch: 0)
    var run = try TimeRun(unit, [clicks])
    let (up, down, length) = (600_000, 1_100_000, 200_000)
    for (start, value) in [(up, 1.4), (down, 0.77)] as [(Int, Float)] {
      try unit.scheduleParameter(
        unit.$rate.address, value: value, at: .frame(FrameTime(start)), rampFrames: length)
    }
    func rate(_ frame: Int) -> Double {
      let (slow, fast) = (Double(Float(0.77)), Double(Float(1.4)))
      if frame < up || frame >= down + length - 1 { return slow }
      if frame < up + length - 1 {
        return slow + (fast - slow) * Double(frame - up + 1) / Double(length)
      }
      if frame < down { return fast }
      return fast + (slow - fast) * Double(frame - down + 1) / Double(length)
    }
    try run.render(2_400_000, periods: .fixed(1024))
    let found = onsets(run.output[0])
    let latency = Int((unit.latency * 48_000).rounded())
    let lead = 2048 + 64
    var (place, frame, number, worst) = (-Double(lead), 0, 0, 0)
    var next = 12_000.0
    while frame < 2_400_000 - latency - 10_000 && number < found.count {
      if place >= next {
        let due = frame + latency - lead
        worst = max(worst, abs(found[number] - due))
        #expect(abs(found[number] - due) < 240, "click \(number): \(found[number] - due) frames")
        number += 1
        next += Double(spacing)
      }
      place += rate(frame)
      frame += 1
    }
    #expect(number > 80)
  }

  @Test(arguments: [0.25, 0.5, 1, 2, 4] as [Float])
  func onsetsAreWhereTheDocumentsSayAtEachRate(rate: Float) throws {
    let spacing = Int(24_000 * max(1, rate))
    var clicks = Signal.silence(frames: 14 * spacing)
    for at in stride(from: spacing, to: clicks.count, by: spacing) {
      for index in 0..<200 {
        clicks[at + index] = Float(sin(Double(index) * 0.8) * exp(-Double(index) / 40))
      }
    }
    // With a pitch, so that rate 1 is stretched too.
    let unit = try offlineUnit(rate: rate, pitch: rate == 1 ? 10 : 0)
    let latency = Int((unit.latency * 48_000).rounded())
    #expect(latency == 8256)
    var run = try TimeRun(unit, [clicks])
    try run.render(Int(Float(10 * spacing) / rate))
    let found = onsets(run.output[0])
    #expect(found.count >= 8)
    var (earliest, latest) = (0, 0)
    for (number, frame) in found.enumerated() {
      let lead = Double(2048 + 64)
      let due = (Double((number + 1) * spacing) + lead) / Double(rate) + 6144
      earliest = min(earliest, frame - Int(due))
      latest = max(latest, frame - Int(due))
    }
    // 18 ms, 7 ms and 5 ms.
    let bound = rate < 0.5 ? 864 : rate < 0.77 ? 336 : 240
    #expect(earliest > -bound && latest < 240, "\(earliest) to \(latest)")
  }

  @Test func aPitchTakesEffectWithTheFrameThatItCameWith() throws {
    let sine = (0..<80_000).map { Float(0.5 * sin(Double($0) * 0.05)) }
    let unit = try offlineUnit(pitch: 300)
    var run = try TimeRun(unit, [sine])
    try unit.scheduleParameter(unit.$pitch.address, value: 1500, at: .frame(20_000))
    try run.render(60_000)
    // By zero crossings: the step is where their distances halve.
    let output = run.output[0]
    let crossings = (15_000..<59_000).filter { output[$0] < 0 && output[$0 + 1] >= 0 }
    let pairs = zip(crossings, crossings.dropFirst()).map { ($0, $1 - $0) }
    let step = try #require(pairs.first { $0.1 < 75 }).0
    let due = 20_000 + Int((unit.latency * 48_000).rounded())
    #expect(abs(step - due) < 1_100, "\(step - due) frames beside")
    #expect(unit.parameterTree.parameter(keyPath: "pitch")!.value == 1500)
  }

  @Test func eachChannelKeepsItsSound() throws {
    let hertz = [440.0, 700, 1100]
    let sines = hertz.map { Signal.sine(frames: 120_000, frequencyHertz: $0, amplitude: 0.5) }
    // Pitches resampled before and after the stretcher, and the crossfade to the input.
    for (pitch, ratio) in [(-1200, 0.5), (1200, 2)] as [(Float, Double)] {
      let unit = try offlineUnit(rate: 0.8, pitch: pitch)
      var run = try TimeRun(unit, sines + [Signal.silence(frames: 120_000)])
      try unit.scheduleParameter(unit.$rate.address, value: 1, at: .frame(40_000))
      try unit.scheduleParameter(unit.$pitch.address, value: 0, at: .frame(40_000))
      try run.render(60_000)
      for (channel, hertz) in hertz.enumerated() {
        let sound = Array(run.output[channel][20_000..<40_000])
        let (found, level) = measure(sound, near: hertz * ratio / 48_000)
        #expect(abs(1200 * log2(found * 48_000 / hertz / ratio)) < 1)
        #expect(abs(20 * log10(level / 0.5)) < 1.5)
        let steepest = 0.5 * 2 * .pi * hertz * max(ratio, 1) / 48_000
        #expect(Double(largestStep(Array(run.output[channel][20_000...]))) < 2.5 * steepest)
      }
      #expect(run.output[3].allSatisfy { abs($0) < 0.000_1 })
    }
  }

  @Test func channelsStayTogether() throws {
    let noise = Signal.noise(frames: 120_000, seed: 7, amplitude: 0.4)
    let unit = try offlineUnit(rate: 0.8, pitch: -300)
    var run = try TimeRun(unit, [noise, noise])
    try run.render(40_000)
    #expect(run.output[0].contains { abs($0) > 0.1 })
    let difference = zip(run.output[0], run.output[1]).map { abs($0 - $1) }.max()!
    #expect(difference < 0.000_1)
    // The common sound of two channels stays the same if each also has a different one.
    let own = [8, 9].map { Signal.noise(frames: 120_000, seed: $0, amplitude: 0.04) }
    let other = try offlineUnit(rate: 0.8, pitch: -300)
    var stereo = try TimeRun(other, own.map { zip(noise, $0).map { $0 + $1 } })
    try stereo.render(40_000)
    let apart = zip(stereo.output[0], stereo.output[1]).map { $0 - $1 }
    let level = rootMeanSquareDecibels(Array(apart[20_000...]))
    // Stretched separately they would differ as two noises do, at -11 dB; the difference of the
    // inputs is at -30 dB.
    #expect(level < -16, "\(level) dB")
  }
}
