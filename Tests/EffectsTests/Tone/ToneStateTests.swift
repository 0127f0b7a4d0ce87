// Starts, stops, fades and keys.

import Effects
import Foundation
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct ToneStateTests {
  /// The largest step of a sine of 440 Hz, 2π · 0.85 · 440 / 48 000.
  static let slope: Float = 0.049

  /// Silence, and a sine from a frame on.
  static func sine(from frame: Int, frames: Int, hertz: Double = 440) -> [Float] {
    Signal.silence(frames: frame)
      + Signal.sine(frames: frames - frame, frequencyHertz: hertz)
  }

  @Test(arguments: [0, 3, 512, 517, 1000, 1005])
  func itStartsAndStopsOnItsFrameWithLinearFades(start: Int) throws {
    let unit = try makeTone(["fadeIn": 10, "fadeOut": 20])
    let stop = start + 3000
    try unit.schedule([
      ParameterMove(frame: start, address: ToneUnit.playingAddress, value: 1),
      ParameterMove(frame: stop, address: ToneUnit.playingAddress, value: 0),
    ])
    let output = try listen(DirectHost(unit), frames: 6000, periods: .random(upTo: 200, seed: 1))
    let sine = Self.sine(from: start, frames: 6000)
    let expected = sine.indices.map { frame in
      let level = min(
        min(max(Double(frame - start + 1) / 480, 0), 1),
        1 - min(max(Double(frame - stop + 1) / 960, 0), 1))
      return Float(Double(sine[frame]) * 0.85 * level)
    }
    #expect(peakDecibels(difference: output, expected) < -120)
    #expect(output[..<start].allSatisfy { $0.bitPattern == 0 })
    #expect(output[(stop + 960)...].allSatisfy { $0.bitPattern == 0 })
  }

  @Test func aStopBeforeItSustainsIsSilenceAtOnceOrAFade() throws {
    func run(_ earlyStop: Float) throws -> [Float] {
      try play(
        ["fadeIn": 50, "fadeOut": 10, "earlyStop": earlyStop], frames: 4000,
        [ParameterMove(frame: 1111, address: ToneUnit.playingAddress, value: 0)])
    }
    let (silent, faded) = (try run(0), try run(1))
    #expect(silent[1111...].allSatisfy { $0.bitPattern == 0 })
    #expect(firstBitDifference(Array(silent[..<1111]), Array(faded[..<1111])) == nil)
    #expect(faded[1111..<1500].contains { abs($0) > 0.1 })
    #expect(faded[1591...].allSatisfy { $0.bitPattern == 0 })
    #expect(largestStep(faded) < Self.slope + 1.0 / 480)
  }

  @Test func aStartInAFadeOutTurnsItRound() throws {
    let output = try play(
      ["fadeIn": 10, "fadeOut": 100], frames: 9600,
      [
        ParameterMove(frame: 2400, address: ToneUnit.playingAddress, value: 0),
        ParameterMove(frame: 4800, address: ToneUnit.playingAddress, value: 1),
      ])
    #expect(largestStep(output) < Self.slope + 1.0 / 480)
    // The phase has continued.
    let sine = Signal.sine(frames: 9600, frequencyHertz: 440, amplitude: Double(Float(0.85)))
    #expect(peakDecibels(difference: Array(output[5280...]), Array(sine[5280...])) < -115)
  }

  @Test func theOutputDoesNotDependOnThePeriod() throws {
    for seed: UInt64 in 1..<6 {
      var expected: [Float] = []
      for periods in [Periods.fixed(1000), .fixed(1), .fixed(13), .random(upTo: 200, seed: seed)] {
        let unit = try makeTone(["fadeIn": 3, "fadeOut": 5, "playing": 1])
        try unit.schedule(ParameterMove.random(120, of: unit, frames: 9000, seed: seed))
        var random = SeededRandom(seed: seed)
        let midi = (0..<60).map { _ in
          let key = UInt8.random(in: 60..<66, using: &random)
          let status: UInt8 = Bool.random(using: &random) ? 0x90 : 0x80
          return (frame: Int.random(in: 0..<9000, using: &random), bytes: [status, key, 64])
        }
        let output = try listen(DirectHost(unit), frames: 9000, periods: periods, midi: midi)
        if expected.isEmpty { expected = output }
        #expect(firstBitDifference(output, expected) == nil, "\(periods), seed \(seed)")
        #expect(peakDecibels(output) > -30)
      }
    }
  }

  @Test func theKeyPressedLastSoundsAndReadsAsIfItWereSet() throws {
    let unit = try makeTone(["pitch": 1, "fadeIn": 0, "fadeOut": 0])
    let host = try DirectHost(unit)
    func state() -> [Float] {
      ["playing", "pitch", "key"].map { unit.parameterTree.parameter(keyPath: $0)!.value }
    }
    #expect(state() == [0, 1, 69])
    for (bytes, expected) in [
      ([0x90, 60, 100], [1, 0, 60]), ([0x95, 64, 1], [1, 0, 64]), ([0x80, 60, 0], [1, 0, 64]),
      ([0x90, 72, 9], [1, 0, 72]), ([0x90, 72, 0], [1, 0, 64]), ([0x80, 50, 0], [1, 0, 64]),
      ([0x80, 64, 0], [0, 0, 64]), ([0x90, 61, 9], [1, 0, 61]), ([0xB0, 123, 0], [0, 0, 61]),
      ([0x80, 61, 0], [0, 0, 61]),
    ] as [([UInt8], [Float])] {
      let output = try listen(host, frames: 480, midi: [(0, bytes)])
      #expect(state() == expected, "\(bytes)")
      #expect(output.contains { $0 != 0 } == (expected[0] == 1))
    }
  }

  @Test func allSoundOffAndResetsSilenceItAtOnce() throws {
    for isReset in [false, true] {
      let unit = try makeTone(["playing": 1, "fadeOut": 1000])
      let host = try DirectHost(unit)
      #expect(peakDecibels(try listen(host, frames: 4800)) > -3)
      if isReset { unit.reset() }
      let output = try listen(host, frames: 960, midi: isReset ? [] : [(0, [0xB3, 120, 0])])
      #expect(output.allSatisfy { $0.bitPattern == 0 })
      #expect(unit.parameterTree.parameter(keyPath: "playing")!.value == 0)
    }
  }

  @Test func aChangeOfTheWaveIsCrossedOver() throws {
    let names: [Float] = [0, 1]
    let (from, to) = (
      try play(["waveform": names[0]], frames: 9600),
      try play(
        ["waveform": names[1]], frames: 9600)
    )
    let changed = try play(
      ["waveform": names[0]], frames: 9600,
      [ParameterMove(frame: 4001, address: ToneUnit.waveformAddress, value: names[1])],
      periods: .fixed(100))
    for frame in changed.indices {
      let part = min(max(Float(frame - 4001 + 1) / 960, 0), 1)
      let expected = from[frame] + (to[frame] - from[frame]) * part
      guard abs(changed[frame] - expected) < 1e-6 else {
        Issue.record("frame \(frame): \(changed[frame]) in place of \(expected)")
        return
      }
    }
  }

  @Test func allChannelsHaveTheSameTone() throws {
    let unit = try ToneUnit()
    try unit.parameterTree.parameter(keyPath: "playing")!.setValue(1)
    try unit.allocate(channels: 3)
    let output = try DirectHost(unit).render(1000)[0]
    #expect(peakDecibels(output[0]) > -3)
    #expect(output[1] == output[0] && output[2] == output[0])
  }

  @Test func aDocumentBringsBackEverySetting() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<10 {
      let (first, second) = (try ToneUnit(), try ToneUnit())
      for parameter in first.parameterTree.allParameters {
        try parameter.setValue(parameter.randomValue(using: &random))
      }
      try second.setFullStateForDocument(first.fullStateForDocument)
      #expect(second.allParameterValues == first.allParameterValues)
      try first.allocate(channels: 1)
      try second.allocate(channels: 1)
      let outputs = try [first, second].map { try listen(DirectHost($0), frames: 3000) }
      #expect(firstBitDifference(outputs[0], outputs[1]) == nil)
    }
  }

  @Test func presetsMatchTheirNames() throws {
    for (name, hertz, amplitude) in [
      ("Concert Pitch", 440.0, 0.85), ("Baroque Pitch", 415, 0.85),
      ("Line-up Tone", 1000, pow(10, -18.0 / 20)),
    ] {
      let unit = try ToneUnit()
      let preset = try #require(unit.factoryPresets.first { $0.name == name })
      try unit.setCurrentPreset(preset)
      try unit.parameterTree.parameter(keyPath: "fadeIn")!.setValue(0)
      try unit.parameterTree.parameter(keyPath: "playing")!.setValue(1)
      try unit.allocate(channels: 1)
      let output = try listen(DirectHost(unit), frames: 4800)
      let sine = Signal.sine(frames: 4800, frequencyHertz: hertz, amplitude: amplitude)
      #expect(peakDecibels(difference: output, sine) < -100, "\(name)")
    }
  }

  @Test func aBypassFadesAndIsSilent() throws {
    let unit = try makeTone(["playing": 1])
    let host = try DirectHost(unit)
    var output = try listen(host, frames: 2400)
    unit.shouldBypassEffect = true
    output += try listen(host, frames: 2400, periods: .fixed(99))
    #expect(output[3360...].allSatisfy { $0.bitPattern == 0 })
    unit.shouldBypassEffect = false
    output += try listen(host, frames: 2400)
    #expect(peakDecibels(Array(output[6000...])) > -3)
    #expect(largestStep(output) < Self.slope + 1.0 / 480)
  }
}
