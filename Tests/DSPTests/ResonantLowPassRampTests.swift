// The filter while its settings move: the shape of ramps, and stability.

import DSP
import Foundation
import Testing

@Suite struct ResonantLowPassRampTests {
  /// The filter of the textbook, with coefficients recomputed for every frame.
  struct Reference {
    let sampleRate: Double
    var band = 0.0
    var low = 0.0

    mutating func next(_ input: Double, cutoffHertz: Double, resonanceDecibels: Double) -> Double {
      let g = tan(.pi * cutoffHertz / sampleRate)
      let k = pow(10, -resonanceDecibels / 20)
      let v1 = (band + g * (input - low)) / (1 + g * (g + k))
      let v2 = low + g * v1
      band = 2 * v1 - band
      low = 2 * v2 - low
      return v2
    }
  }

  /// Returns a ramp by its definition: its value at each of `count` frames.
  static func ramp(from start: Double, to target: Double, over frames: Int, count: Int) -> [Double]
  {
    (0..<count).map {
      $0 < frames ? start + (target - start) * Double($0 + 1) / Double(frames) : target
    }
  }

  @Test(arguments: [(1, 1), (1, 300), (700, 1), (64, 64), (128, 1000), (999, 333)])
  func aRampsWholeShapeIsTheReferences(cutoffFrames: Int, resonanceFrames: Int) {
    var random = SplitMix(seed: 7)
    let input = random.noise(1500)
    let sampleRate = 48_000.0
    // The ramps start between two calls, after 100 frames of constant settings.
    let cutoff =
      [Double](repeating: 300, count: 100)
      + Self.ramp(from: 300, to: 9000, over: cutoffFrames, count: 1400)
    let resonance =
      [Double](repeating: -10, count: 100)
      + Self.ramp(from: -10, to: 12, over: resonanceFrames, count: 1400)
    var reference = Reference(sampleRate: sampleRate)
    let expected = input.indices.map {
      reference.next(
        Double(input[$0]), cutoffHertz: cutoff[$0], resonanceDecibels: resonance[$0])
    }

    var filter = ResonantLowPass(
      channelCount: 1, sampleRate: sampleRate, cutoffHertz: 300, resonanceDecibels: -10)
    let channels = Channels([input])
    channels.process(&filter, to: channels, frames: 0..<100)
    filter.cutoffHertz.start(to: 9000, overFrames: UInt32(cutoffFrames))
    filter.resonanceDecibels.start(to: 12, overFrames: UInt32(resonanceFrames))
    channels.process(&filter, to: channels, frames: 100..<1500)
    let worst = zip(channels[0], expected).map { abs(Double($0) - $1) }.max()!
    #expect(worst < 1e-6)
    let sounding = (filter.cutoffHertz.value, filter.resonanceDecibels.value)
    #expect(sounding == (9000, 12))
  }

  @Test func aStepShowsAtItsFrameAndNotBefore() {
    var random = SplitMix(seed: 3)
    let input = random.noise(64)
    func output(stepAt step: Int) -> [Float] {
      var filter = ResonantLowPass(
        channelCount: 1, sampleRate: 48_000, cutoffHertz: 500, resonanceDecibels: 0)
      let channels = Channels([input])
      channels.process(&filter, to: channels, frames: 0..<step)
      filter.cutoffHertz.start(to: 5000, overFrames: 1)
      channels.process(&filter, to: channels, frames: step..<64)
      return channels[0]
    }
    let unchanged = output(stepAt: 64)
    for step in 0..<64 {
      let changed = output(stepAt: step)
      #expect(changed[..<step] == unchanged[..<step])
      #expect(changed[step] != unchanged[step])
    }
  }

  @Test(arguments: [44_100.0, 192_000])
  func noiseUnderAudioRateModulationStaysBounded(sampleRate: Double) {
    var random = SplitMix(seed: 11)
    let channels = Channels([random.noise(12_000)])
    var filter = ResonantLowPass(
      channelCount: 1, sampleRate: sampleRate, cutoffHertz: 12, resonanceDecibels: 20)
    var frame = 0
    while frame < channels.frameCount {
      let between = 12 * pow(20_000.0 / 12, random.next(in: 0...1))
      let hertz: Double = [12, 20_000, between][random.next(in: 0...2)]
      filter.cutoffHertz.start(to: hertz, overFrames: UInt32(random.next(in: 1...4)))
      let end = min(frame + random.next(in: 1...4), channels.frameCount)
      channels.process(&filter, to: channels, frames: frame..<end)
      frame = end
    }
    // Full-scale noise through 20 dB of resonance: 40 dB is a generous bound, which growth exceeds.
    #expect(channels[0].allSatisfy { $0.isFinite && abs($0) < 100 })
    #expect(channels[0].contains { abs($0) > 1 })
  }

  @Test func settingAtOnceEqualsCreatingWithTheSettings() {
    var random = SplitMix(seed: 5)
    let input = random.noise(200)
    var created = ResonantLowPass(
      channelCount: 1, sampleRate: 48_000, cutoffHertz: 700, resonanceDecibels: 6)
    var set = ResonantLowPass(
      channelCount: 1, sampleRate: 48_000, cutoffHertz: 100, resonanceDecibels: 0)
    set.cutoffHertz.start(to: 30, overFrames: 500)
    set.set(immediatelyCutoffHertz: 700, resonanceDecibels: 6)
    #expect(filtered(input, by: &set) == filtered(input, by: &created))
  }
}
