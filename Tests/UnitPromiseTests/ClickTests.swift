// No bypass is heard to come or go.

import MediaFiles
import ScheduledPlayer
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

@Suite struct ClickTests {
  static let sine = Signal.sine(frames: 60_000, frequencyHertz: 220, amplitude: 0.5)

  /// The greatest steps of a signal as it is at first, and of all of it, which may have those of
  /// crossfades of 128 frames beside.
  private func expectNoClick(
    _ output: ArraySlice<Float>, settled: ArraySlice<Float>..., named name: String
  ) {
    let own = settled.map { largestStep(Array($0)) }.max()!
    let step = largestStep(Array(output))
    #expect(step <= max(own, 0.0145) + 1.0 / 128, "\(name)")
    for part in settled { #expect(rootMeanSquareDecibels(Array(part)) > -30, "\(name)") }
  }

  /// Both ends of a bypass, and what a delay line gives later.
  @Test(arguments: EffectKind.all)
  func aBypassIsNotHeardToComeOrGo(kind: EffectKind) throws {
    let unit = try kind.allocated()
    let host = try DirectHost(unit)
    let output = try host.run([Self.sine], periods: .fixed(100)) { frame in
      if frame == 14_400 { unit.shouldBypassEffect = true }
      if frame == 24_000 { unit.shouldBypassEffect = false }
    }[0]
    expectNoClick(
      output[4_800...], settled: output[4_800..<14_400], output.suffix(5_000), named: kind.name)
    #expect(
      firstBitDifference(Array(output[15_360..<24_000]), passed(Self.sine, unit)) == nil)
  }

  private func passed(_ input: [Float], _ unit: AudioUnit) -> [Float] {
    let late = Int((unit.latency * 48_000).rounded())
    return Array(input[15_360 - late..<24_000 - late])
  }

  /// A player stands still while it is bypassed, and is heard neither to stop nor to go on.
  @Test(arguments: [64, 441])
  func aPlayersBypassFadesBothWaysAndKeepsItsPlace(period: Int) throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.allocate(channels: 1)
    let host = try DirectHost(player)
    try player.schedule(try AudioClip([Self.sine], sampleRate: 48_000))
    try player.parameterTree.parameter(keyPath: "state")!.setValue(1)
    try player.scheduleBypass(true, at: .frame(9_654))
    try player.scheduleBypass(false, at: .frame(19_300))
    var output: [Float] = []
    while output.count < 30_000 { output += try host.render(period)[0][0] }
    #expect(largestStep(output) <= 0.0145 + 0.5 / 960)
    #expect(Array(output[10_614..<19_300]).allSatisfy { $0 == 0 })
    let start = output.firstIndex { $0 != 0 } ?? 0
    let place = 20_260 - (19_300 - 10_614)
    #expect(output[20_260] == Self.sine[place - start + 1])
  }
}
