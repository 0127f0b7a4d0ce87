// Moving and adding connections, formats, and the channels of an engine's input and output.

import AudioEngine
import Effects
import EnvironmentUnit
import MediaFiles
import MixerUnit
import Players
import RecorderUnit
import Synchronization
import TestSupport
import Testing
import UnitModel

@Suite struct EngineConnectTests {
  private let rig: EngineRig
  private var engine: Engine { rig.engine }

  init() throws { rig = try EngineRig() }

  private func links() throws -> [String] {
    try engine.connections.map {
      let (from, to) = (try engine.id(of: $0.source), try engine.id(of: $0.destination))
      return "\(from) -> \(to):\($0.input ?? -1)"
    }
  }

  private func reason(_ work: () async throws -> Void) async -> String? {
    do { try await work() } catch { return "\(error)" }
    return nil
  }

  @Test func connectMovesASourceAndKeepsItsTaps() async throws {
    let (player, _) = try rig.player(1, channels: 2)
    let (first, second) = (try DelayUnit(), try DelayUnit())
    try engine.attach(first, id: "first")
    try engine.attach(second, id: "second")
    let count = Atomic(0)
    try await engine.connect(player, to: first)
    try await engine.installTap(on: player, bufferSize: 100) { buffer in
      count.add(buffer.channels[0].count, ordering: .relaxed)
    }
    #expect(try links() == ["player -> first:0", "player -> player-tap:0"])
    try await engine.connect(player, to: second)
    #expect(try links() == ["player -> player-tap:0", "player -> second:0"])
    try await engine.connect(player, to: engine.outputNode, input: 3)
    #expect(try links() == ["player -> player-tap:0", "player -> output:3"])
    // Another input of the same mixer is a move, too; no input keeps the current one.
    try await engine.connect(player, to: engine.outputNode, input: 5)
    try await engine.connect(player, to: engine.outputNode)
    #expect(try links() == ["player -> player-tap:0", "player -> output:5"])
    try await engine.start()
    _ = try engine.render(1000)
    #expect(count.load(ordering: .relaxed) == 1000)
  }

  @Test func aMoveDuringRenderingLeavesOneConnectionToBeHeard() async throws {
    let (player, _) = try rig.player(1, channels: 2)
    let silent = try MixerUnit()
    try engine.attach(silent, id: "silent")
    silent.outputVolume = 0
    try await engine.connect(silent, to: engine.outputNode)
    try await engine.connect(player, to: engine.outputNode)
    try await engine.start()
    try player.play()
    #expect(try engine.render(1000)[0].contains { $0 != 0 })
    try await engine.connect(player, to: silent)
    _ = try engine.render(2000)
    #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
    // The player has continued without a gap.
    #expect(player.playerTime.sampleTime == 4000)
  }

  @Test func addingKeepsTheOtherConnectionsOfASource() async throws {
    let (player, _) = try rig.player(1)
    let delay = try DelayUnit()
    try engine.attach(delay)
    try await engine.connect(player, to: engine.outputNode)
    try await engine.connect(player, adding: delay)
    try await engine.connect(player, adding: delay)
    #expect(try links() == ["player -> output:0", "player -> delay:0"])
    // The input's former source ends in both cases.
    let (other, _) = try rig.player(2)
    try await engine.connect(other, adding: delay)
    #expect(try links() == ["player -> output:0", "player-2 -> delay:0"])
  }

  @Test func aRefusedMoveLeavesTheSourceWhereItWas() async throws {
    let (player, _) = try rig.player(1)
    let small = try MixerUnit(MixerLayout(inputs: 1))
    try engine.attach(small, id: "small")
    let (other, _) = try rig.player(2)
    try await engine.connect(other, to: small)
    try await engine.connect(player, to: engine.outputNode)
    #expect(
      await reason { try await engine.connect(player, to: small) }
        == "all 1 inputs of 'small' are taken")
    #expect(try links() == ["player-2 -> small:0", "player -> output:0"])
    // Nor does it change the output's format.
    let tone = try ToneUnit()
    try engine.attach(tone)
    let mono = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    #expect(
      await reason { try await engine.connect(tone, to: small, format: mono) }
        == "all 1 inputs of 'small' are taken")
    #expect(tone.outputBusses[0].format.channelCount == 2)
  }

  @Test func aFormatOfAnotherSampleRateIsRefused() async throws {
    let source = try DelayUnit()
    try engine.attach(source)
    let other = try AudioFormat(sampleRate: 44_100, channelCount: 1)
    #expect(
      await reason { try await engine.connect(source, to: engine.outputNode, format: other) }
        == "'delay' cannot have that format: its sample rate is 44100.0 Hz; "
        + "accepted: the engine's, 48000.0 Hz")
    #expect(source.outputBusses[0].format.channelCount == 2 && engine.connections.isEmpty)
    #expect(engine.sampleRate == 48_000)
    #expect(try Engine().sampleRate == nil)
  }

  @Test func aRenderedOutputKeepsItsChannelsUntilItIsDisconnected() async throws {
    let tone = try ToneUnit()
    try engine.attach(tone)
    let mono = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    try await engine.connect(tone, to: engine.outputNode)
    try await engine.start()
    _ = try engine.render(1000)
    #expect(
      await reason { try await engine.connect(tone, to: engine.outputNode, format: mono) }
        == "'tone' cannot have that format: it is being rendered; disconnect it first")
    try await engine.disconnectOutput(of: tone)
    _ = try engine.render(1000)
    try await engine.connect(tone, to: engine.outputNode, format: mono)
    #expect(tone.outputBusses[0].format.channelCount == 1)
  }

  @Test func anInputAndAnOutputHaveTheChosenChannels() async throws {
    let engine = try Engine(.offline(sampleRate: 48_000), inputChannels: 4, outputChannels: 4)
    try await engine.connect(engine.inputNode, to: engine.mainMixerNode)
    try await engine.start()
    let input = (0..<4).map { Signal.noise(frames: 500, seed: UInt64($0 + 1)) }
    #expect(try engine.render(500, input: input) == input)
    for count in [0, 9, .min, .max] {
      #expect(
        await reason { _ = try Engine(inputChannels: count) }
          == "the argument 'inputChannels' is \(count); accepted: 1 to 8")
      #expect(
        await reason { _ = try Engine(outputChannels: count) }
          == "the argument 'outputChannels' is \(count); accepted: 1 to 8")
    }
  }

  @Test func aMonoInputHasAPositionInAnEnvironment() async throws {
    let engine = try Engine(.offline(sampleRate: 48_000), inputChannels: 1)
    let scene = try EnvironmentUnit()
    let player = try ScheduledPlayerUnit(channels: 1)
    try engine.attach(scene)
    try engine.attach(player)
    engine.inputNode.position = (3, 0, 0)
    player.position = (-3, 0, 0)
    try await engine.connect(engine.inputNode, to: scene)
    try await engine.connect(player, to: scene)
    try await engine.connect(scene, to: engine.mainMixerNode)
    try await engine.start()
    func levels(input: [[Float]] = []) throws -> (left: Float, right: Float) {
      let output = try engine.render(4800, input: input)
      return (output[0].map(abs).max() ?? 0, output[1].map(abs).max() ?? 0)
    }
    _ = try levels()
    let noise = Signal.noise(frames: 4800, seed: 3)
    let voice = try levels(input: [noise])
    #expect(voice.right > 0.01 && voice.right > 2 * voice.left, "\(voice)")
    // The player at the other side is heard there, so the two are placed separately.
    _ = try engine.render(48_000)
    try player.schedule(AudioClip([noise], sampleRate: 48_000))
    try player.play()
    let sound = try levels()
    #expect(sound.left > 0.01 && sound.left > 2 * sound.right, "\(sound)")
  }

  @Test func volumeIsTheSourcesAtItsMixerAndOutputVolumeTheMixersOwn() async throws {
    let (sub, player) = (try MixerUnit(), try ScheduledPlayerUnit(channels: 2))
    try engine.attach(sub, id: "sub")
    try engine.attach(player)
    try await engine.connect(player, to: sub)
    try await engine.connect(sub, to: engine.outputNode)
    sub.volume = 0.5
    sub.outputVolume = 0.25
    func value(_ mixer: MixerUnit, _ path: String) -> Float? {
      mixer.parameterTree.parameter(keyPath: path)?.value
    }
    #expect(value(sub, "volume") == 0.25 && value(engine.outputNode, "inputs.1.volume") == 0.5)
    #expect(sub.volume == 0.5 && sub.outputVolume == 0.25)
    try await engine.start()
    let ones = [Float](repeating: 1, count: 2000)
    try player.parameterTree.parameter(keyPath: "fade")!.setValue(0)
    try player.schedule(AudioClip([ones, ones], sampleRate: 48_000))
    try player.play()
    #expect(try engine.render(2000)[0].last == 0.125)
    for (given, kept) in [(9, 4), (-1, 0), (.nan, 0)] as [(Float, Float)] {
      sub.outputVolume = given
      #expect(sub.outputVolume == kept)
    }
  }

  @Test func playAndPauseHoldWhileNothingIsRendered() async throws {
    let (player, _) = try rig.player(1)
    try await engine.connect(player, to: engine.outputNode)
    try player.play()
    try await engine.start()
    #expect(try engine.render(1000)[0].contains { $0 != 0 })
    #expect(player.isPlaying && player.playerTime.sampleTime == 1000)
    // While the player is disconnected.
    try await engine.disconnectOutput(of: player)
    _ = try engine.render(1000)
    try player.pause()
    try await engine.connect(player, to: engine.outputNode)
    _ = try engine.render(1000)
    #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
    #expect(!player.isPlaying)
    try await engine.disconnectOutput(of: player)
    _ = try engine.render(1000)
    try player.play()
    try await engine.connect(player, to: engine.outputNode)
    #expect(try engine.render(1000)[0].contains { $0 != 0 })
    // Before a later start.
    await engine.stop()
    try player.pause()
    try await engine.start()
    _ = try engine.render(1000)
    #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
  }

  @Test func aStopHoldsWhileNothingIsRendered() async throws {
    let (player, _) = try rig.player(1)
    // Attached only, then before the start.
    try player.stop()
    try await engine.connect(player, to: engine.outputNode)
    let noises = (2...5).map { Signal.noise(frames: 500, seed: $0) }
    func schedule(_ number: Int) throws {
      try player.schedule(AudioClip([noises[number]], sampleRate: 48_000))
    }
    try schedule(0)
    try player.play()
    try player.stop()
    try schedule(1)
    try await engine.start()
    #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
    try player.play()
    #expect(try engine.render(1000)[0] == noises[1] + Signal.silence(frames: 500))
    // While it is disconnected.
    try await engine.disconnectOutput(of: player)
    _ = try engine.render(1000)
    try schedule(2)
    try player.stop()
    try schedule(3)
    try await engine.connect(player, to: engine.outputNode)
    #expect(try engine.render(2000)[0].allSatisfy { $0 == 0 })
    #expect(player.playerTime.sampleTime == 0)
    try player.play()
    #expect(try engine.render(1000)[0] == noises[3] + Signal.silence(frames: 500))
    await engine.stop()
    try player.stop()
    #expect(!player.isPlaying)
  }
}
