// Bit-identical output of the low-pass, however frames and channels are grouped.

import DSP
import Testing

@Suite struct ResonantLowPassIdentityTests {
  static let events: [(frame: Int, hertz: Double, decibels: Double, rampFrames: UInt32)] = [
    (0, 900, 3, 100), (150, 20_000, -20, 70), (151, 12, 20, 1), (400, 6000, 10, 0),
    (1500, 3000, -3, 65),
  ]

  /// Renders `channels` with the events, each stretch between two events divided by `next`.
  static func render(
    _ input: Channels, channelCount: Int, to output: Channels, next: () -> Int
  ) {
    var filter = ResonantLowPass(
      channelCount: channelCount, sampleRate: 48_000, cutoffHertz: 200, resonanceDecibels: 0)
    var frame = 0
    var pending = events[...]
    while frame < input.frameCount {
      if let event = pending.first, event.frame == frame {
        filter.cutoffHertz.start(to: event.hertz, overFrames: event.rampFrames)
        filter.resonanceDecibels.start(to: event.decibels, overFrames: event.rampFrames / 2)
        pending.removeFirst()
      }
      let end = min(frame + next(), pending.first?.frame ?? input.frameCount)
      input.process(&filter, to: output, frames: frame..<end)
      frame = end
    }
  }

  /// Checks `isAtRest`: `#expect` cannot take a noncopyable value apart.
  func expectRest(
    _ expected: Bool, _ filter: borrowing ResonantLowPass,
    location: SourceLocation = #_sourceLocation
  ) {
    let isAtRest = filter.isAtRest
    #expect(isAtRest == expected, sourceLocation: location)
  }

  static func bits(_ samples: [Float]) -> [UInt32] { samples.map(\.bitPattern) }

  /// Returns noise, then enough silence for the filter to ring out to nothing.
  static func burst(_ random: inout SplitMix) -> [Float] {
    random.noise(1200) + [Float](repeating: 0, count: 2300)
  }

  @Test func anyDivisionIntoCallsIsBitIdentical() {
    var random = SplitMix(seed: 17)
    let signal = Self.burst(&random)
    let input = Channels([signal])
    let whole = Channels([signal])
    Self.render(input, channelCount: 1, to: whole) { .max / 2 }
    for longest in [1, 3, 16, 64, 100, 256, 1024] {
      let divided = Channels([signal])
      Self.render(input, channelCount: 1, to: divided) {
        longest == 1 ? 1 : random.next(in: 1...longest)
      }
      #expect(Self.bits(divided[0]) == Self.bits(whole[0]), "calls of up to \(longest) frames")
    }
  }

  @Test(arguments: [1, 2, 3, 5, 8])
  func aChannelIsFilteredAsIfItWereAloneAlsoInPlace(channelCount: Int) {
    var random = SplitMix(seed: 23)
    let signals = (0..<channelCount).map { _ in Self.burst(&random) }
    let input = Channels(signals)
    let output = Channels(signals)
    Self.render(input, channelCount: channelCount, to: output) { 500 }
    let inPlace = Channels(signals)
    Self.render(inPlace, channelCount: channelCount, to: inPlace) { 500 }
    for channel in 0..<channelCount {
      let alone = Channels([signals[channel]])
      Self.render(alone, channelCount: 1, to: alone) { 500 }
      #expect(Self.bits(output[channel]) == Self.bits(alone[0]))
      #expect(Self.bits(inPlace[channel]) == Self.bits(alone[0]))
      #expect(Self.bits(input[channel]) == Self.bits(signals[channel]))
    }
  }

  @Test func resetForgetsAllPastInputEvenThatWhichIsNotFinite() {
    var random = SplitMix(seed: 29)
    let signal = random.noise(300)
    var filter = ResonantLowPass(
      channelCount: 1, sampleRate: 48_000, cutoffHertz: 2000, resonanceDecibels: 12)
    let fresh = filtered(signal, by: &filter)
    #expect(filtered([.nan, .infinity, 1], by: &filter).allSatisfy { $0.isNaN })
    expectRest(false, filter)
    filter.reset()
    expectRest(true, filter)
    #expect(Self.bits(filtered(signal, by: &filter)) == Self.bits(fresh))
  }

  @Test func theFilterComesToRestAndItsSilenceIsExact() {
    var random = SplitMix(seed: 31)
    var filter = ResonantLowPass(
      channelCount: 1, sampleRate: 48_000, cutoffHertz: 8000, resonanceDecibels: 0)
    expectRest(true, filter)
    _ = filtered(random.noise(100), by: &filter)
    expectRest(false, filter)
    _ = filtered([Float](repeating: 0, count: 500), by: &filter)
    expectRest(true, filter)
    #expect(Self.bits(filtered([0, 0, 0], by: &filter)) == [0, 0, 0])
  }
}
