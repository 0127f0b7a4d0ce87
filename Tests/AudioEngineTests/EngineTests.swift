// Engines without a clock.

import AudioEngine
import Effects
import EnvironmentUnit
import Foundation
import MIDIEffectUnit
import MediaFiles
import MixerUnit
import Players
import RecorderUnit
import Session
import Synchronization
import TestSupport
import Testing
import UnitModel
import UnitTestSupport

private func scaled(_ signal: some Sequence<Float>, _ gain: Float) -> [Float] {
  signal.map { $0 * gain }
}

@Suite struct EngineTests {
  private let rig: EngineRig
  private var engine: Engine { rig.engine }

  init() throws { rig = try EngineRig() }

  @Test func aPlayerIsHeardThroughTheMainMixer() async throws {
    let (player, sound) = try rig.player(1)
    try await engine.connect(player, to: engine.mainMixerNode)
    try await engine.start()
    #expect(engine.isRunning)
    try player.play()
    let output = try engine.render(3000)
    // A mono source in the middle: both sides have all of it.
    #expect(output.count == 2)
    for channel in output {
      #expect(
        peakDecibels(difference: channel, scaled(sound[..<3000], output[0][0] / sound[0])) < -130)
    }
    #expect(output[0][0] != 0)
  }

  @Test func aPlayerConnectedToTheOutputIsUnchanged() async throws {
    let (player, _) = try rig.player(1, channels: 2)
    try await engine.connect(player, to: engine.outputNode)
    try await engine.start()
    try player.stop()
    let stereo = [Signal.noise(frames: 2000, seed: 5), Signal.noise(frames: 2000, seed: 6)]
    try player.schedule(AudioClip(stereo, sampleRate: 48_000))
    try player.play()
    #expect(try engine.render(2000) == stereo)
  }

  @Test func aMonoSourceIsUnchangedAtTheOutputAndPannedByTheMainMixer() async throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try engine.attach(player)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    let sound = Signal.constant(0.1, frames: 4000)
    try player.schedule(AudioClip([sound], sampleRate: 48_000), options: .loops)
    try await engine.connect(player, to: engine.outputNode)
    try await engine.start()
    try player.play()
    #expect(try engine.render(2000) == [Array(sound[..<2000]), Array(sound[..<2000])])
    try await engine.connect(player, to: engine.mainMixerNode)
    _ = try engine.render(2000)
    for channel in try engine.render(1000) {
      #expect(channel.allSatisfy { abs($0 - 0.070_710_68) < 1e-8 }, "\(channel[0])")
    }
  }

  @Test func volumeAndPanBelongToTheSourceAndTravelWithIt() async throws {
    let player = try ScheduledPlayerUnit(channels: 2)
    try engine.attach(player)
    let (first, second) = (try MixerUnit(), try MixerUnit())
    try engine.attach(first, id: "first")
    try engine.attach(second, id: "second")
    try await engine.connect(first, to: engine.mainMixerNode)
    try await engine.connect(second, to: engine.mainMixerNode)
    // Kept while the player is not connected.
    player.volume = 0.5
    player.pan = -1
    try await engine.connect(player, to: second, input: 3)
    func value(_ mixer: MixerUnit, _ path: String) -> Float? {
      mixer.parameterTree.parameter(keyPath: path)?.value
    }
    #expect(value(second, "inputs.4.volume") == 0.5)
    #expect(value(second, "inputs.4.pan") == -1)
    player.volume = 0.25
    #expect(value(second, "inputs.4.volume") == 0.25)
    try await engine.disconnectOutput(of: player)
    player.pan = 0.5
    #expect(value(second, "inputs.4.pan") == -1)
    // Through an effect, too.
    let delay = try DelayUnit()
    try engine.attach(delay)
    try await engine.connect(player, to: delay)
    try await engine.connect(delay, to: first)
    #expect(value(first, "inputs.1.volume") == 0.25)
    #expect(value(first, "inputs.1.pan") == 0.5)
    player.volume = 0.125
    #expect(value(first, "inputs.1.volume") == 0.125)
    // The next source of an input brings its own values.
    try await engine.disconnectOutput(of: delay)
    let other = try ScheduledPlayerUnit(channels: 2)
    try engine.attach(other)
    try await engine.connect(other, to: first)
    #expect(value(first, "inputs.1.volume") == 1)
    #expect(value(first, "inputs.1.pan") == 0)
  }

  @Test func aPlaceBelongsToTheSourceAndTravelsToAnEnvironment() async throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    let space = try EnvironmentUnit()
    try engine.attach(player)
    try engine.attach(space, id: "space")
    func values() -> [String: Float] {
      let group = space.parameterTree.node(keyPath: "inputs.3") as? ParameterGroup
      return Dictionary(
        uniqueKeysWithValues: (group?.allParameters ?? []).map { ($0.identifier, $0.value) })
    }
    player.position = (1, -2, 3)
    player.renderingAlgorithm = .hrtf
    player.reverbBlend = 0.25
    player.obstruction = -10
    player.occlusion = -20
    try await engine.connect(player, to: space, input: 2)
    let expected: [String: Float] = [
      "x": 1, "y": -2, "z": 3, "volume": 1, "algorithm": 2, "reverbBlend": 0.25,
      "obstruction": -10, "occlusion": -20, "pan": 0,
    ]
    #expect(values() == expected)
    let names = ["Equal Power", "Spherical Head", "HRTF", "Sound Field", "Stereo Pass-Through"]
    let parameter = try #require(space.parameterTree.parameter(keyPath: "inputs.3.algorithm"))
    for (algorithm, name) in zip(RenderingAlgorithm.allCases, names) {
      player.renderingAlgorithm = algorithm
      #expect(parameter.string(fromValue: parameter.value) == name)
      #expect(player.renderingAlgorithm == algorithm)
    }
    #expect(player.position == (1, -2, 3) && player.reverbBlend == 0.25)
    #expect(player.obstruction == -10 && player.occlusion == -20)
  }

  @Test func mixValuesOfASourceApplyOnlyAtItsFirstMixer() async throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    let space = try EnvironmentUnit()
    let sub = try MixerUnit()
    for (unit, id) in [(player, "player"), (space, "space"), (sub, "sub")] as [(AudioUnit, String)]
    {
      try engine.attach(unit, id: id)
    }
    player.volume = 0.5
    player.pan = -1
    func strip(_ unit: AudioUnit) -> [Float?] {
      ["volume", "pan"].map { unit.parameterTree.parameter(keyPath: "inputs.1.\($0)")?.value }
    }
    for mixer in [space, sub] as [AudioUnit] {
      try await engine.connect(player, to: mixer, input: 0)
      try await engine.connect(mixer, to: engine.mainMixerNode, input: 0)
      #expect(strip(mixer) == [0.5, -1])
      #expect(strip(engine.mainMixerNode) == [1, 0])
      try await engine.disconnectOutput(of: player)
      try await engine.disconnectOutput(of: mixer)
    }
  }

  /// Sets the value at the mixer itself, as `auricle ctl` does.
  @Test func anInputKeepsItsValueAsLongAsItsSource() async throws {
    let (player, _) = try rig.player(1)
    let tone = try ToneUnit()
    try engine.attach(tone)
    try await engine.connect(player, to: engine.mainMixerNode, input: 0)
    let volume = engine.mainMixerNode.parameterTree.parameter(keyPath: "inputs.1.volume")!
    try volume.setValue(0.4)
    try await engine.connect(tone, to: engine.mainMixerNode, input: 1)
    #expect(volume.value == 0.4)
    // A refused change does not alter the value.
    let sub = try MixerUnit()
    try engine.attach(sub, id: "sub")
    try await engine.connect(sub, to: engine.mainMixerNode, input: 2)
    try await engine.start()
    await #expect(throws: EngineError.self) {
      try await engine.connect(engine.mainMixerNode, to: sub)
    }
    #expect(volume.value == 0.4)
    try await engine.disconnectOutput(of: player)
    try await engine.connect(tone, to: engine.mainMixerNode, input: 0)
    #expect(volume.value == 1)
  }

  @Test func anEngineThatNobodyHasAnyMoreLetsGoOfItsUnits() async throws {
    let player = try ScheduledPlayerUnit()
    var engine: Engine? = try Engine(.offline(sampleRate: 48_000))
    try engine!.attach(player)
    try await engine!.connect(player, to: engine!.outputNode)
    try await engine!.start()
    weak let gone = engine
    engine = nil
    #expect(await eventually { gone == nil })
    try player.deallocateRenderResources()
  }

  /// The other chain's output is bit-identical to one without the edits.
  @Test func aChainThatIsBrokenStandsStillAndGoesOn() async throws {
    let (player, sound) = try rig.player(1)
    let (other, _) = try rig.player(2)
    try await engine.connect(player, to: engine.mainMixerNode, input: 0)
    try await engine.connect(other, to: engine.mainMixerNode, input: 1)
    player.pan = -1
    other.pan = 1
    try await engine.start()
    try player.play()
    try other.play()
    var output = try engine.render(1000)
    try await engine.disconnectOutput(of: player)
    for (index, more) in try engine.render(5000).enumerated() { output[index] += more }
    try await engine.connect(player, to: engine.mainMixerNode, input: 0)
    for (index, more) in try engine.render(5000).enumerated() { output[index] += more }

    let reference = try EngineRig()
    let (alone, _) = try reference.player(2)
    alone.pan = 1
    try await reference.engine.connect(alone, to: reference.engine.mainMixerNode, input: 1)
    try await reference.engine.start()
    try alone.play()
    #expect(firstBitDifference(output[1], try reference.engine.render(11_000)[1]) == nil)

    // The chain fades within 128 frames, is not rendered, and resumes at its position.
    #expect(output[0][1128..<6000].allSatisfy { $0 == 0 })
    #expect(output[0][1127] == 0 && output[0][1060] != 0)
    let gain = output[0][500] / sound[500]
    #expect(
      peakDecibels(
        difference: Array(output[0][6128..<11_000]), scaled(sound[1256..<6128], gain)) < -130)
  }

  @Test func onlyUnitsConnectedToTheOutputAreRendered() async throws {
    let (player, _) = try rig.player(1)
    let delay = try DelayUnit()
    try engine.attach(delay)
    try await engine.connect(player, to: delay)
    try await engine.start()
    _ = try engine.render(100)
    #expect(!player.renderResourcesAllocated && !delay.renderResourcesAllocated)
    try await engine.connect(delay, to: engine.outputNode)
    _ = try engine.render(100)
    #expect(player.renderResourcesAllocated && delay.renderResourcesAllocated)
    try await engine.disconnectInput(of: engine.outputNode)
    _ = try engine.render(1000)
    #expect(!player.renderResourcesAllocated && !delay.renderResourcesAllocated)
  }

  @Test func aTapAloneMakesItsChainActive() async throws {
    let taken = Mutex<[TapBuffer]>([])
    let tap = try await engine.installTap(on: engine.inputNode, bufferSize: 300) { buffer in
      taken.withLock { $0.append(buffer) }
    }
    try await engine.start()
    let noise = Signal.noise(frames: 1000, seed: 9)
    #expect(try engine.render(1000, input: [noise, noise]).isEmpty)
    try await engine.removeTap(tap)
    _ = try engine.render(1000, input: [noise, noise])
    let buffers = taken.withLock { $0 }
    // The last buffer has the remaining frames.
    #expect(buffers.map(\.frame) == [0, 300, 600, 900])
    #expect(buffers.flatMap { $0.channels[1] } == noise)
    #expect(!engine.inputNode.renderResourcesAllocated)
  }

  @Test func aTapsHandlerMayAskItsEngineAnything() async throws {
    let engine = engine
    let frames = Mutex<[Int64?]>([])
    try await engine.installTap(on: engine.inputNode, bufferSize: 100) { [unowned engine] _ in
      _ = engine.units
      guard engine.isRunning else { return }
      frames.withLock { $0.append(engine.frame) }
      // Another thread may be rendering the engine at this moment.
      _ = try? engine.render(0)
    }
    try await engine.start()
    for _ in 0..<10 { _ = try engine.render(1000) }
    #expect(frames.withLock { $0.count } == 100)
    #expect(frames.withLock { $0.allSatisfy { $0 != nil && $0! <= 10_000 } })
    await engine.stop()
  }

  @Test func aConnectionThatCannotBeIsRefusedAlsoWhileNothingIsRendered() async throws {
    let (player, _) = try rig.player(1)
    let sub = try MixerUnit()
    let delay = try DelayUnit()
    try engine.attach(sub, id: "sub")
    try engine.attach(delay)
    let count = sub.inputBusses.maximumBusCount
    for input in [-1, count, 999, .max, .min] where !(0..<count).contains(input) {
      await refused("'sub' has no input \(input): it has \(count)") {
        try await engine.connect(player, to: sub, input: input)
      }
    }
    try await engine.connect(sub, to: delay)
    await refused(
      "the connections go round in a circle: delay -> sub -> delay; remove one of them"
    ) { try await engine.connect(delay, to: sub) }
    await refused("the connections go round in a circle: delay -> delay; remove one of them") {
      try await engine.connect(delay, to: delay)
    }
    for id in ["control", "physical"] {
      await refused(
        "'\(id)' is no name for a unit: 1 to 64 letters, digits, '-' and '_', and not another's"
      ) { try engine.attach(try DelayUnit(), id: id) }
    }
    try await engine.connect(player, to: sub)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.start()
  }

  @Test func aConnectionMadeTwiceCountsOnce() async throws {
    let (player, _) = try rig.player(1)
    try await engine.connect(player, to: engine.mainMixerNode)
    try await engine.start()
    try player.play()
    let once = try engine.render(1000)
    try await engine.connect(player, to: engine.mainMixerNode)
    let (other, _) = try rig.player(1)
    try await engine.connect(other, to: engine.mainMixerNode)
    try await engine.disconnectInput(of: engine.mainMixerNode, input: 1)
    let twice = try engine.render(1000)
    #expect(once[0][0] != 0)
    let loudest = { (channel: [Float]) in channel.map(abs).max() ?? 0 }
    #expect(loudest(twice[0]) < 1.5 * loudest(once[0]))
  }

  @Test func mixValuesOfASourceStayInTheirRanges() throws {
    let (player, _) = try rig.player(1)
    player.volume = 10
    #expect(player.volume == 4)
    player.volume = -1
    #expect(player.volume == 0)
    player.volume = 0.5
    player.volume = .nan
    #expect(player.volume == 0.5)
    player.pan = -.infinity
    #expect(player.pan == -1)
    player.position = (.nan, .infinity, -2)
    #expect(player.position == (0, .greatestFiniteMagnitude, -2))
  }

  @Test func aPauseKeepsThePositionAndTheChangesMadeInIt() async throws {
    let (player, _) = try rig.player(1)
    try await engine.connect(player, to: engine.outputNode)
    try await engine.start()
    try player.play()
    let before = try engine.render(500)
    try await engine.pause()
    #expect(!engine.isRunning)
    #expect(throws: EngineError.self) { try engine.render(1) }
    let (other, _) = try rig.player(2)
    try await engine.connect(other, to: engine.outputNode)
    try await engine.start()
    let after = try engine.render(500)
    #expect(before[0].count == 500 && after[0].contains { $0 != 0 })
    #expect(other.renderResourcesAllocated)
    #expect(player.playerTime.sampleTime == 1000)
    await engine.stop()
    #expect(!player.renderResourcesAllocated && !engine.isRunning)
    try await engine.start()
    #expect(player.renderResourcesAllocated)
  }

  @Test func impossibleRequestsAreRefusedAndChangeNothing() async throws {
    let stranger = try ScheduledPlayerUnit()
    let (player, _) = try rig.player(1)
    let delay = try DelayUnit()
    await refused("player is not attached to the engine: attach it first") {
      try await engine.connect(stranger, to: engine.mainMixerNode)
    }
    await refused("the unit is attached already, as 'player'") { try engine.attach(player) }
    await refused(
      "'a b' is no name for a unit: 1 to 64 letters, digits, '-' and '_', and not another's"
    ) { try engine.attach(delay, id: "a b") }
    await refused("'mixer' is the engine's own and stays") {
      try await engine.detach(engine.mainMixerNode)
    }
    await refused("'player' has no output 1: it has 1") {
      try await engine.connect(player, bus: 1, to: engine.mainMixerNode)
    }
    await refused("nothing is connected from 'player'") {
      try await engine.disconnectOutput(of: player)
    }
    await refused("the engine is not running: start it first") { _ = try engine.render(1) }
    try engine.attach(delay)
    try await engine.connect(player, to: delay)
    try await engine.connect(delay, to: engine.mainMixerNode)
    try await engine.start()
    try player.play()
    // A loop has no beginning.
    let mixer = try MixerUnit()
    try engine.attach(mixer, id: "sub")
    try await engine.connect(mixer, to: engine.mainMixerNode)
    let reason = await reason { try await engine.connect(engine.mainMixerNode, to: mixer) }
    #expect(
      reason?.contains("go round in a circle: mixer -> sub -> mixer") == true, "\(reason ?? "")")
    #expect(try engine.render(1000)[0].contains { $0 != 0 })
    try await engine.connect(player, to: engine.mainMixerNode)
    #expect(try engine.render(1000)[0].contains { $0 != 0 })
  }

  @Test func aFunctionIsASource() async throws {
    let freed = Atomic(0)
    do {
      let engine = try Engine(.offline(sampleRate: 48_000))
      let source = try stairs { freed.add(1, ordering: .relaxed) }
      try engine.attach(source)
      try await engine.connect(source, to: engine.mainMixerNode)
      source.pan = -1
      try await engine.start()
      var heard = try engine.render(500)
      // The source has no state to reset.
      source.reset()
      heard += try engine.render(300)
      #expect(heard[0] + heard[2] == (0..<800).map { Float($0) / 1024 })
      #expect(heard[1].allSatisfy { $0 == 0 })
      await engine.stop()
    }
    #expect(await eventually { freed.load(ordering: .relaxed) == 1 })
  }

  @Test func aSourceHasItsChannelsAndAFunctionThatResetsIt() async throws {
    let source = try stairs(channels: 2) {}
    try engine.attach(source)
    try await engine.connect(source, to: engine.outputNode)
    try await engine.start()
    let steps = (0..<200).map { Float($0) / 1024 }
    #expect(try engine.render(200) == [steps, steps])
    source.reset()
    #expect(try engine.render(200) == [steps, steps])
    for channels in [0, 1025] {
      #expect(throws: BusError.self) { try stairs(channels: channels) {} }
    }
  }

  @Test func framesAreSecondsWhileTheEngineRenders() async throws {
    #expect(engine.frame(atSeconds: 1) == nil && engine.seconds(atFrame: 48_000) == nil)
    _ = engine.outputNode
    try await engine.start()
    _ = try engine.render(100)
    #expect(engine.frame(atSeconds: 1.5) == 72_000 && engine.seconds(atFrame: 72_000) == 1.5)
    #expect(engine.frame(atSeconds: .nan) == nil)
    // An engine without a clock has no time of the host's.
    #expect(engine.frame(atHostTime: Engine.hostTime) == nil && engine.hostTime(atFrame: 0) == nil)
    await engine.stop()
    #expect(engine.frame(atSeconds: 1) == nil && engine.seconds(atFrame: 48_000) == nil)
  }

  @Test func aStateIsPreparedForTheFormatAndFreedWithItsSource() async throws {
    let freed = FreedStates()
    do {
      let engine = try Engine(.offline(sampleRate: 32_000))
      let source = try SourceUnit(
        channels: 1, state: Ascent(freed), reset: resetAscent, render: renderAscent
      ) { $0.step = Float($1.sampleRate) / 32_000_000 }
      try engine.attach(source)
      try await engine.connect(source, to: engine.outputNode)
      try await engine.start()
      #expect(try engine.render(200)[0] == (0..<200).map { Float($0) * 0.001 })
      source.reset()
      #expect(try engine.render(200)[0] == (0..<200).map { Float($0) * 0.001 })
      // The state stays while nothing renders it.
      await engine.stop()
      try await engine.start()
      #expect(try engine.render(200)[0] == (200..<400).map { Float($0) * 0.001 })
      await engine.stop()
      for channels in [0, 1025] {
        #expect(throws: BusError.self) {
          try SourceUnit(channels: channels, state: Ascent(freed), render: renderAscent)
        }
      }
      #expect(freed.count == 2)
    }
    #expect(await eventually { freed.count == 3 })
  }

  @Test func midiGoesFromUnitToUnit() async throws {
    let chords = try MIDIEffectUnit()
    let tone = try ToneUnit()
    try engine.attach(chords, id: "chords")
    try engine.attach(tone, id: "tone")
    try await engine.connect(tone, to: engine.mainMixerNode)
    await refused("'tone' sends no MIDI") { try await engine.connectMIDI(tone, to: chords) }
    await refused("'mixer' takes no MIDI") {
      try await engine.connectMIDI(chords, to: engine.mainMixerNode)
    }
    try await engine.connectMIDI(chords, to: tone)
    try await engine.connectMIDIDevices(to: chords)
    try await engine.start()
    try chords.scheduleMIDI([0x90, 69, 100])
    let heard = try engine.render(4800)[0]
    #expect((heard.map(abs).max() ?? 0) > 0.1)
    // Its held notes end with the connection.
    try await engine.disconnectMIDIOutput(of: chords)
    _ = try engine.render(48_000)
    #expect(try engine.render(4800)[0].allSatisfy { $0 == 0 })
    await refused("nothing is connected from 'chords'") {
      try await engine.disconnectMIDIOutput(of: chords)
    }
    try await engine.disconnectMIDIInput(of: chords)
    await refused("nothing is connected to 'chords'") {
      try await engine.disconnectMIDIInput(of: chords)
    }
  }

  @Test func midiOfSeveralComesTogetherOnceOfEach() async throws {
    let senders = try (0..<2).map { _ in try MIDIEffectUnit() }
    let tone = try ToneUnit()
    for (index, sender) in senders.enumerated() { try engine.attach(sender, id: "keys\(index)") }
    try engine.attach(tone)
    try await engine.connect(tone, to: engine.mainMixerNode)
    for sender in senders + senders { try await engine.connectMIDI(sender, to: tone) }
    try await engine.start()
    #expect(senders.allSatisfy { $0.renderResourcesAllocated })
    func isHeard(_ message: [UInt8], from sender: MIDIEffectUnit) throws -> Bool {
      try sender.scheduleMIDI(message)
      _ = try engine.render(48_000)
      return try engine.render(4800)[0].contains { $0 != 0 }
    }
    for sender in senders {
      #expect(try isHeard([0x90, 69, 100], from: sender))
      #expect(try !isHeard([0x80, 69, 0], from: sender))
    }
    // Detaching a unit removes its connections and ends its held notes.
    #expect(try isHeard([0x90, 69, 100], from: senders[0]))
    try await engine.detach(senders[0])
    _ = try engine.render(48_000)
    #expect(try engine.render(4800)[0].allSatisfy { $0 == 0 })
    try engine.attach(senders[0], id: "keys0")
    try await engine.connect(tone, to: engine.outputNode)
    #expect(!senders[0].renderResourcesAllocated)
    #expect(try isHeard([0x90, 69, 100], from: senders[1]))
    // A loop is refused and leaves the other connections.
    try await engine.connectMIDI(senders[0], to: senders[1])
    let loop = await reason { try await engine.connectMIDI(senders[1], to: senders[0]) }
    #expect(loop?.contains("keys0") == true && loop?.contains("keys1") == true, "\(loop ?? "")")
    #expect(try isHeard([0x90, 69, 100], from: senders[0]))
  }

  private func reason(_ work: () async throws -> Void) async -> String? {
    do { try await work() } catch { return "\(error)" }
    return nil
  }

  private func refused(
    _ text: String, at place: SourceLocation = #_sourceLocation, _ work: () async throws -> Void
  ) async {
    #expect(await reason(work) == text, sourceLocation: place)
  }
}
