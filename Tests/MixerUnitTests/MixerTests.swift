// The mixer's promises about frames, silence, faults and state.

import MixerUnit
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct MixerTests {
  private let counts = [1, 2, 1, 4, 6, 2]

  /// Returns noise for each input, with stretches of silence.
  private func signals(_ frames: Int, seed: UInt64 = 1) -> DirectHost.Busses {
    counts.enumerated().map { bus, count in
      (0..<count).map { channel in
        var noise = Signal.noise(frames: frames, seed: seed + UInt64(10 * bus + channel))
        let start = bus * frames / 8
        for frame in start..<min(frames, start + frames / 4) { noise[frame] = 0 }
        return noise
      }
    }
  }

  private func address(_ keyPath: String, of unit: AudioUnit) throws -> ParameterAddress {
    try #require(unit.parameterTree.parameter(keyPath: keyPath)).address
  }

  @Test func theMixIsTheSumOfItsInputsInTheirOrderToTheBit() throws {
    let unit = try mixer(Array(repeating: 2, count: 11), allocates: false)
    var random = SeededRandom(seed: 5)
    var volumes: [Float] = []
    for input in 0..<11 {
      volumes.append(input == 4 ? 0 : Float.random(in: 0...4, using: &random))
      try unit.parameterTree.parameter(keyPath: "inputs.\(input + 1).volume")?
        .setValue(volumes[input])
    }
    try unit.allocateRenderResources()
    let noise = (0..<11).map { Signal.noise(frames: 900, seed: UInt64($0)) }
    let output = try DirectHost(unit).run(
      busses: noise.map { [$0, Signal.silence(frames: 900)] }, periods: .fixed(100))
    let expected = (0..<900).map { frame in
      (0..<11).reduce(Float(0)) { $0 + noise[$1][frame] * volumes[$1] }
    }
    #expect(firstBitDifference(output[0], expected) == nil)
    #expect(output[1].allSatisfy { $0.bitPattern == 0 })
  }

  @Test(arguments: [1, 2, 6])
  func theOutputDoesNotDependOnThePeriod(channels: Int) throws {
    let input = signals(9000)
    for seed: UInt64 in 10..<13 {
      var expected: [[Float]] = []
      for periods in [Periods.fixed(1024), .fixed(1), .fixed(13), .random(upTo: 300, seed: seed)] {
        let unit = try mixer(counts, channels: channels)
        // Parameters of the mixer's inputs, and of some others.
        let moves = ParameterMove.random(200, of: unit, frames: 9000, seed: seed)
        try unit.schedule(moves.filter { $0.address < 16 })
        let output = try DirectHost(unit).run(busses: input, periods: periods)
        #expect(unit.switches.value(of: .lateEvents) == 0)
        if expected.isEmpty { expected = output }
        for channel in 0..<channels {
          #expect(
            firstBitDifference(output[channel], expected[channel]) == nil,
            "\(periods), seed \(seed), channel \(channel)")
        }
      }
    }
  }

  @Test func anEventIsNotHeardBeforeItsFrameAndAStepIsHeardOnIt() throws {
    let ones = [Array(repeating: Float(1), count: 3000)]
    for (keyPath, value) in [("volume", Float(3)), ("inputs.1.volume", 2), ("inputs.1.pan", -1)] {
      let unit = try mixer([1], allocates: false)
      try unit.parameterTree.parameter(keyPath: "inputs.1.pan")?.setValue(-0.999)
      try unit.allocateRenderResources()
      let first = try DirectHost(unit).render(1, inputs: [[[1]]])[0][0][0]
      for (frame, rampFrames) in [(0, 0), (1000, 0), (1063, 500), (1999, 1)] {
        let unit = try mixer([1], allocates: false)
        try unit.parameterTree.parameter(keyPath: "inputs.1.pan")?.setValue(-0.999)
        try unit.allocateRenderResources()
        try unit.schedule([
          ParameterMove(
            frame: frame, address: address(keyPath, of: unit), value: value,
            rampFrames: rampFrames)
        ])
        let output = try DirectHost(unit).run(busses: [ones])[0]
        let change = output.firstIndex { $0 != first }
        #expect(change.map { $0 >= frame } ?? true, "\(keyPath) at \(frame)")
        if rampFrames == 1, keyPath != "inputs.1.pan" {
          #expect(change == frame && output[frame] == output[2999])
        }
      }
    }
  }

  @Test func parameterChangesMakeNoClick() throws {
    let sine = Signal.sine(frames: 9600, frequencyHertz: 100, amplitude: 0.5)
    for (keyPath, value) in [("volume", Float(0)), ("inputs.1.volume", 0), ("inputs.1.pan", 1)] {
      let unit = try mixer([1])
      let output = try DirectHost(unit).run(busses: [[sine]], periods: .fixed(64)) { frame in
        if frame == 4800 {
          try unit.parameterTree.parameter(keyPath: keyPath)?.setValue(value)
        }
      }
      for channel in output {
        #expect(largestStep(channel) < largestStep(sine) + 1.0 / 960, "\(keyPath)")
      }
      // The value is reached within 20 ms.
      let wanted = try mixer([1], allocates: false)
      try wanted.parameterTree.parameter(keyPath: keyPath)?.setValue(value)
      try wanted.allocateRenderResources()
      let there = try DirectHost(wanted).run(busses: [[sine]], periods: .fixed(64))
      for channel in 0..<2 {
        #expect(
          firstBitDifference(Array(output[channel][5760...]), Array(there[channel][5760...])) == nil
        )
      }
    }
  }

  /// Mute and solo begin on their frame and end within 20 ms. What stays audible is the same to the
  /// bit.
  @Test(arguments: [("mute", 0), ("solo", 1)])
  func inputsFadeOnTheirFrame(_ key: String, _ faded: Int) throws {
    let noise = Signal.noise(frames: 4000, seed: 1)
    for periods in Periods.all {
      /// The sound of one input alone.
      func sound(of input: Int, moves: Bool) throws -> [Float] {
        let unit = try mixer([1, 1])
        let target = try address("inputs.1.\(key)", of: unit)
        if moves {
          try unit.schedule([
            ParameterMove(frame: 1003, address: target, value: 1, rampFrames: 0),
            ParameterMove(frame: 2501, address: target, value: 0, rampFrames: 0),
          ])
        }
        var busses = Array(repeating: [Signal.silence(frames: noise.count)], count: 2)
        busses[input] = [noise]
        return try DirectHost(unit).run(busses: busses, periods: periods)[0]
      }
      let (kept, plain) = (
        try sound(of: 1 - faded, moves: true), try sound(of: 1 - faded, moves: false)
      )
      #expect(firstBitDifference(kept, plain) == nil)
      let (fading, whole) = (try sound(of: faded, moves: true), try sound(of: faded, moves: false))
      #expect(firstBitDifference(fading, whole) == 1003, "\(periods)")
      #expect(fading[1003..<1900].contains { $0 != 0 })
      #expect(fading[1962..<2501].allSatisfy { $0 == 0 } && fading[2501] != 0)
      #expect(firstBitDifference(Array(fading[3460...]), Array(whole[3460...])) == nil)
    }
  }

  /// A muted input is silent although it is solo. A bypassed mixer lets everything through, and a
  /// solo without a connection silences nothing.
  @Test func soloNeedsAConnectionAndMuteGoesFirst() throws {
    let ones = Array(repeating: Float(1), count: 64)
    func sound(_ busses: [[[Float]]], bypassed: Bool = false, _ on: String...) throws -> Float {
      let unit = try mixer(busses.map { _ in 1 }, allocates: false)
      for key in on { try unit.parameterTree.parameter(keyPath: "inputs.\(key)")?.setValue(1) }
      unit.shouldBypassEffect = bypassed
      try unit.allocateRenderResources()
      // From the first frame on: a session that is opened does not fade to its state.
      let output = try DirectHost(unit).run(busses: busses)[0]
      #expect(Set(output).count == 1)
      return output[0]
    }
    let one = try sound([[ones]])
    #expect(one > 0.7 && one < 0.71)
    #expect(try sound([[ones], [ones]], "1.solo") == one)
    #expect(try sound([[ones], [ones]], "1.solo", "2.solo") == one + one)
    #expect(try sound([[ones], [ones]], "1.solo", "1.mute") == 0)
    #expect(try sound([[ones], [ones]], "2.mute") == one)
    #expect(try sound([[ones], [ones]], "3.solo") == one + one)
    #expect(try sound([[ones], [ones]], bypassed: true, "1.solo", "1.mute") > one)
  }

  @Test func silenceStaysSilentToTheBitDuringChanges() throws {
    let unit = try mixer(counts)
    try unit.schedule(ParameterMove.random(50, of: unit, frames: 4000, seed: 2))
    let silence = counts.map { (0..<$0).map { _ in Signal.silence(frames: 4000) } }
    let output = try DirectHost(unit).run(busses: silence)
    #expect(output.allSatisfy { $0.allSatisfy { $0.bitPattern == 0 } })
  }

  @Test func valuesMoveWhileAnInputIsSilentOrDisconnected() throws {
    let noise = Signal.noise(frames: 4000, seed: 3)
    let half = Signal.silence(frames: 2000) + noise[2000...]
    func run(_ counts: [Int], _ busses: DirectHost.Busses) throws -> [Float] {
      let unit = try mixer(counts)
      try unit.schedule([
        ParameterMove(
          frame: 100, address: MixerUnit.volumeAddress(ofInput: 0), value: 0.25, rampFrames: 3000),
        ParameterMove(
          frame: 300, address: MixerUnit.panAddress(ofInput: 0), value: -1, rampFrames: 2500),
      ])
      return try DirectHost(unit).run(busses: busses, periods: .fixed(250))[0]
    }
    let silentFirst = try run([1], [[half]])
    let whole = try run([1], [[noise]])
    #expect(firstBitDifference(Array(silentFirst[2000...]), Array(whole[2000...])) == nil)
    // The input is absent for a while: the host's calls do not have it.
    let unit = try mixer([1])
    try unit.schedule([
      ParameterMove(
        frame: 100, address: MixerUnit.volumeAddress(ofInput: 0), value: 0.25, rampFrames: 3000),
      ParameterMove(
        frame: 300, address: MixerUnit.panAddress(ofInput: 0), value: -1, rampFrames: 2500),
    ])
    try unit.inputBusses.setBusCount(0)
    _ = try DirectHost(unit).run(busses: [[Signal.silence(frames: 1000)]], periods: .fixed(250))
    var host = try DirectHost(unit, frame: 1000)
    _ = try host.render(1000)
    try unit.inputBusses.setBusCount(1)
    try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
    host = try DirectHost(unit, frame: 2000)
    let output = try host.run(busses: [[Array(noise[2000...])]], periods: .fixed(250))[0]
    #expect(firstBitDifference(output, Array(whole[2000...])) == nil)
  }

  @Test func valuesSetWithoutAConnectionApplyAtOnce() throws {
    let unit = try mixer([1, 1])
    try unit.inputBusses.setBusCount(1)
    _ = try DirectHost(unit).run(busses: [[Signal.silence(frames: 1000)]], periods: .fixed(250))
    let path = unit.parameterTree.parameter(address: MixerUnit.volumeAddress(ofInput: 1))
    try unit.inputBusses.setBusCount(2)
    try unit.inputBusses[1].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
    try path?.setValue(0)
    let noise = Signal.noise(frames: 1000, seed: 4)
    let host = try DirectHost(unit, frame: 1000)
    let output = try host.run(
      busses: [[Signal.silence(frames: 1000)], [noise]], periods: .fixed(250))[0]
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test func bypassedItAddsItsInputsAsTheyAreAndComesAndGoesWithoutAClick() throws {
    let sine = Signal.sine(frames: 25_600, frequencyHertz: 300, amplitude: 0.25)
    func run(_ period: Int) throws -> [[Float]] {
      let unit = try mixer([1, 2], allocates: false)
      for (keyPath, value) in [
        ("volume", Float(0.5)), ("inputs.1.volume", 2), ("inputs.1.pan", 0.5), ("inputs.2.pan", -1),
      ] {
        try unit.parameterTree.parameter(keyPath: keyPath)?.setValue(value)
      }
      try unit.allocateRenderResources()
      return try DirectHost(unit).run(busses: [[sine], [sine, sine]], periods: .fixed(period)) {
        if $0 == 6400 { unit.shouldBypassEffect = true }
        if $0 == 12_800 {
          try unit.parameterTree.parameter(keyPath: "inputs.2.volume")?.setValue(0)
        }
        if $0 == 19_200 { unit.shouldBypassEffect = false }
      }
    }
    let output = try run(256)
    let plain = try DirectHost(mixer([1, 2])).run(busses: [[sine], [sine, sine]])
    for channel in 0..<2 {
      #expect(
        firstBitDifference(
          Array(output[channel][7360..<19_200]), Array(plain[channel][7360..<19_200])) == nil)
      #expect(largestStep(output[channel]) < 3 * largestStep(sine) + 3.0 / 960)
      #expect(firstBitDifference(try run(64)[channel], output[channel]) == nil)
    }
    // Values set during the bypass apply after it: the right side has only the first input.
    let right = output[1][20_200...]
    #expect(abs(peakDecibels(Array(right)) - decibels(0.25 * 0.923_88)) < 0.1)
  }

  @Test func aBypassInTheMiddleOfARampHasTheValuesReadAsTheyAreSet() throws {
    let unit = try mixer([1])
    let host = try DirectHost(unit)
    let addresses = [
      MixerUnit.volumeAddress, MixerUnit.volumeAddress(ofInput: 0),
      MixerUnit.panAddress(ofInput: 0),
    ]
    for address in addresses {
      try unit.scheduleParameter(address, value: 0.25, rampFrames: 1000)
    }
    _ = try host.render(500)
    let parameters = addresses.map { unit.parameterTree.parameter(address: $0)! }
    #expect(parameters.map(\.value) == [0.625, 0.625, 0.125])
    unit.shouldBypassEffect = true
    _ = try host.render(100)
    #expect(parameters.map(\.value) == [0.25, 0.25, 0.25])
  }

  @Test func whileRampingTheValueReadIsTheSoundingOne() throws {
    let unit = try mixer([1])
    let host = try DirectHost(unit)
    for (keyPath, low, high) in [
      ("volume", Float(0), Float(4)), ("inputs.2.volume", 0, 4), ("inputs.1.pan", -1, 1),
    ] {
      let parameter = try #require(unit.parameterTree.parameter(keyPath: keyPath))
      try parameter.setValue(low)
      _ = try host.render(1000)
      #expect(parameter.value == low)
      _ = try host.render(1000)
      try unit.scheduleParameter(
        parameter.address, value: high, at: .frame(host.frame), rampFrames: 1000)
      for (frames, part) in [(250, Float(0.25)), (500, 0.75), (500, 1), (100, 1)] {
        _ = try host.render(frames)
        #expect(abs(parameter.value - (low + (high - low) * part)) <= 4e-6, "\(keyPath)")
      }
    }
  }

  @Test func valuesOutOfRangeAreHeldAtItsEnds() throws {
    for (value, volume, pan) in [
      (Float.infinity, Float(4), Float(1)), (1e9, 4, 1), (-1e9, 0, -1), (.nan, 0, -1),
    ] {
      let unit = try mixer([1])
      let hosting = try unit.makeHosting()
      var (input, left, right) = ([Float(1)], [Float(0)], [Float(0)])
      hosting.hosted.beginCycle(at: 0, frameCount: 1)
      for address in [0, 1, 2, 61, 62, 63, 64, 65, UInt64.max] {
        #expect(
          hosting.hosted.events.insert(
            RenderEvent.parameter(address: address, value: value, rampFrames: 0, at: 0)))
      }
      input.withUnsafeMutableBufferPointer { input in
        left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            hosting.hosted.call.input(0)[0] = input.baseAddress
            hosting.hosted.call.output(0)[0] = left.baseAddress
            hosting.hosted.call.output(0)[1] = right.baseAddress
            #expect(hosting.hosted.render(at: 0, frameCount: 1) == RenderStatus.ok)
          }
        }
      }
      hosting.hosted.endCycle()
      let values = unit.allParameterValues
      #expect(values["volume"] == volume && values["inputs.1.volume"] == volume)
      #expect(values["inputs.16.pan"] == pan && values["inputs.15.pan"] == 0)
    }
  }

  @Test func nonFiniteInputIsSilencedAndForgotten() throws {
    let unit = try mixer([1, 1])
    let host = try DirectHost(unit)
    let noise = Signal.noise(frames: 512, seed: 4)
    var bad = noise
    bad[100] = .nan
    let output = try host.run(busses: [[noise], [bad]])
    #expect(output.allSatisfy { $0.allSatisfy(\.isFinite) })
    #expect(unit.switches.value(of: .nonFiniteCycles) == 1)
    let fresh = try DirectHost(mixer([1, 1])).run(busses: [[noise], [noise]])
    let after = try host.run(busses: [[noise], [noise]])
    for channel in 0..<2 { #expect(firstBitDifference(after[channel], fresh[channel]) == nil) }
  }

  @Test func aDocumentBringsBackTheSameSoundToTheBit() throws {
    let input = signals(2000)
    for seed: UInt64 in 1..<4 {
      let first = try mixer(counts, allocates: false)
      var random = SeededRandom(seed: seed)
      for parameter in first.parameterTree.allParameters {
        try parameter.setValue(parameter.randomValue(using: &random))
      }
      let second = try mixer(counts, allocates: false)
      try second.setFullStateForDocument(first.fullStateForDocument)
      #expect(second.allParameterValues == first.allParameterValues)
      let outputs = try [first, second].map {
        try $0.allocateRenderResources()
        return try DirectHost($0).run(busses: input)
      }
      for channel in 0..<2 {
        #expect(firstBitDifference(outputs[0][channel], outputs[1][channel]) == nil)
      }
    }
  }

  @Test func everyFactoryPresetSetsAllThatThereIs() throws {
    let unit = try MixerUnit(MixerLayout(inputs: 5))
    #expect(unit.factoryPresets.map(\.name) == ["Unity", "Left and Right", "Spread"])
    for preset in unit.factoryPresets {
      try unit.setCurrentPreset(preset)
      let values = unit.factoryPresetValues(of: preset)
      #expect(unit.allParameterValues == values)
    }
    #expect(
      (1...5).map { unit.parameterTree.parameter(keyPath: "inputs.\($0).pan")?.value }
        == [-1, -0.5, 0, 0.5, 1])
  }
}
