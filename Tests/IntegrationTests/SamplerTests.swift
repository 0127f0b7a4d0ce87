// The sampler on a live server: bit-identical to a bounce, and unharmed by simultaneous changes.

import BuiltInUnits
import Effects
import Foundation
import JackHost
import Logging
import MIDIStages
import MediaFiles
import SamplerUnit
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

@Suite(.serialized) struct SamplerTests {
  private static func font(pitch: Int) -> SoundFontMaker {
    SoundFontMaker(presets: [
      .init(
        program: 0, name: "Sine",
        zones: [
          .init(sample: .sine(periodFrames: pitch), attackSeconds: 0.002, releaseSeconds: 0.05)
        ]),
      .init(program: 1, name: "Noise", zones: [.init(sample: .noise(seed: 3, isLooped: true))]),
      .init(
        bank: 128, program: 0, name: "Kit",
        zones: [.init(sample: .noise(seed: 4), tracksKey: false)]),
    ])
  }

  private func configuration(_ soundFont: URL) -> String {
    """
    [client]
    name = "auricle"
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "\(soundFont.path)"
    midi = [{ stage = "transpose", semitones = -3 }]
    [[unit]]
    id = "lowpass"
    component = "filter"
    parameters = { cutoff = 4000.0, resonance = 3.0 }
    [[connect]]
    from = "piano"
    to = "lowpass"
    """
  }

  /// Notes, controllers, bends and program changes on random frames; every note has its end.
  private func score(frames: Int) -> [TimedMIDI] {
    var random = SeededRandom(seed: 21)
    var midi: [TimedMIDI] = []
    for index in 0..<60 {
      let start = Int.random(in: 0..<frames * 3 / 4, using: &random)
      let channel = UInt8(index % 3 == 2 ? 9 : index % 3)
      let key = UInt8.random(in: 40..<90, using: &random)
      midi.append(TimedMIDI(frame: start, bytes: [0x90 | channel, key, 90]))
      midi.append(
        TimedMIDI(
          frame: start + Int.random(in: 1..<frames / 4, using: &random),
          bytes: [0x80 | channel, key, 64]))
      let frame = Int.random(in: 0..<frames, using: &random)
      let value = UInt8.random(in: 0..<128, using: &random)
      switch index % 4 {
      case 0: midi.append(TimedMIDI(frame: frame, bytes: [0xB0 | channel, 7, value]))
      case 1: midi.append(TimedMIDI(frame: frame, bytes: [0xB0 | channel, 10, value]))
      case 2: midi.append(TimedMIDI(frame: frame, bytes: [0xE0 | channel, 0, value]))
      default: midi.append(TimedMIDI(frame: frame, bytes: [0xC0 | channel, value & 1]))
      }
    }
    return midi.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  @Test(arguments: [64, 256, 1024])
  func liveAndBouncedAudioAreIdentical(period: Int) async throws {
    let frames = 40_000
    let directory = try TemporaryDirectory()
    let font = try Self.font(pitch: 100).write(to: directory.file("test.sf2"))
    let midi = score(frames: frames)

    let server = try await JackServer.start(period: period)
    let auricle = try await RunningAuricle(configuration(font), on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
    for channel in 1...2 {
      try await recorder.connect(
        "auricle:lowpass_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    player.script.midi = midi
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: frames)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete && $0.startsInCycle == 0 })
    try await auricle.expectEnd()

    let file = try directory.write(configuration(font), to: "session.toml")
    var score = MIDIFileMaker.frameExact(sampleRate: 48_000)
    for message in midi { score.add(message.bytes, at: message.frame) }
    let notes = try directory.write(score.bytes(endTick: frames), to: "score.mid")
    let output = directory.file("output.wav")
    let (status, child) = try await Self.bounce(
      file, midi: notes, output: output, period: 333)
    #expect(status == .exited(0), "\(child.transcript)")
    let bounced = try AudioFileReader(contentsOf: output).read(maximumFrames: frames)
    #expect(peakDecibels(bounced[0]) > -30)
    for channel in 0..<2 {
      #expect(firstDifference(takes[1].audio[channel], bounced[channel]) == nil)
    }
  }

  private static func bounce(
    _ file: URL, midi: URL, output: URL, period: Int
  ) async throws -> (ChildProcess.ExitStatus, ChildProcess) {
    let (status, child) = try await auricle([
      "bounce", file.path, "--midi", midi.path, "--output", output.path, "--period", "\(period)",
      "--tail", "0",
    ])
    return (status, child)
  }

  /// Sends MIDI of every kind, and changes parameters, periods, SoundFonts, MIDI stages and bypass,
  /// with resets, all while it plays.
  @Test func aStormLeavesNothingBehind() async throws {
    let directory = try TemporaryDirectory()
    let fonts = try [100, 60].map {
      try Self.font(pitch: $0).write(to: directory.file("\($0).sf2"))
    }
    let server = try await JackServer.start(period: 256)
    let file = try directory.write(configuration(fonts[0]), to: "session.toml")
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: file)
    let session = try JackSession(
      plan, JackSession.Options(server: server.name), log: Logger(label: "test"))
    defer { session.stop() }
    let units = plan.graph.nodes.map(\.unit)
    let sampler = try #require(units[0] as? SamplerUnit)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
    try await recorder.connect("auricle:lowpass_out_1", to: "recorder:audio_in_1")

    let frames = 120_000
    player.script.midi = storm(frames: frames)
    let stormy = try await JackTestClient.run([player, recorder], frames: frames) {
      var random = SeededRandom(seed: 31)
      var round = 0
      while player.processedFrames < frames - 10_000 {
        round += 1
        for _ in 0..<50 { try schedule(on: units.randomElement(using: &random)!, &random) }
        switch round % 6 {
        case 0:
          try await player.setPeriod([16, 64, 256, 1024, 2048].randomElement(using: &random)!)
        case 1: try await sampler.load(soundFont: fonts[round / 6 % 2], program: round / 12 % 2)
        case 2: units[1].shouldBypassEffect.toggle()
        case 3: try await sampler.reload()
        case 4:
          let kinds = [.transpose, .velocity, .filter, .scale, .channel] as [MIDIStageKind]
          try sampler.setMIDIStages(Array(kinds.shuffled(using: &random).prefix(round / 6 % 4)))
        default: units.randomElement(using: &random)!.reset()
        }
        try await player.waitForCycles(2)
      }
    }[1]
    #expect(stormy.audio[0].allSatisfy { $0.isFinite })
    #expect(peakDecibels(stormy.audio[0]) > -60)

    try await player.setPeriod(256)
    units[1].shouldBypassEffect = false
    for unit in units {
      for parameter in unit.parameterTree.allParameters where parameter.flags.contains(.writable) {
        try parameter.setValue(parameter.defaultValue)
      }
    }
    // The ends of all notes, however they began.
    var ends = (0..<16).flatMap { channel in
      [64, 66].map { TimedMIDI(frame: 0, bytes: [0xB0 | UInt8(channel), $0, 0]) }
    }
    for index in 0..<2048 {
      ends.append(
        TimedMIDI(frame: 4 * index, bytes: [0x80 | UInt8(index >> 7), UInt8(index & 0x7F), 0]))
    }
    player.script.midi = ends
    // A cycle that a busy machine loses takes its note-offs along; a freewheeling server waits.
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: 48_000)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete })
    let after = takes[1]
    #expect(peakDecibels(Array(after.audio[0].suffix(10_000))) < -90)
    // The storm left random programs, volumes and positions.
    try await sampler.load(soundFont: fonts[0])
    player.script.midi = [
      [0xB0, 121, 0], [0xB0, 7, 100], [0xB0, 8, 64], [0xB0, 10, 64], [0xB0, 11, 127],
      [0x90, 60, 100],
    ].map { TimedMIDI(frame: 100, bytes: $0) }
    let alive = try await JackTestClient.run([player, recorder], frames: 9600)[1]
    #expect(peakDecibels(alive.audio[0]) > -60)
    for unit in units {
      #expect(unit.switches.value(of: .nonFiniteCycles) == 0)
      #expect(unit.switches.value(of: .failedCycles) == 0)
    }
    #expect(session.connection?.backend.statistics.midiInputRefused == 0)
  }

  private func storm(frames: Int) -> [TimedMIDI] {
    var random = SeededRandom(seed: 32)
    return (0..<12_000)
      .map { index in
        let data = random.bytes(2).map { $0 & 0x7F }
        let channel = UInt8.random(in: 0..<16, using: &random)
        let bytes: [UInt8] =
          switch index % 8 {
          case 0...2: [0x90 | channel, data[0], data[1]]
          case 3: [0x80 | channel, data[0], data[1]]
          case 4: [0xB0 | channel, data[0], data[1]]
          case 5: [0xC0 | channel, data[0] & 1]
          case 6: [0xF0] + random.bytes(Int.random(in: 0..<40, using: &random)) + [0xF7]
          default: random.bytes(Int.random(in: 1..<16, using: &random))
          }
        return TimedMIDI(frame: Int.random(in: 0..<frames, using: &random), bytes: bytes)
      }
      .sorted { $0.frame < $1.frame }
  }

  private func schedule(on unit: AudioUnit, _ random: inout SeededRandom) throws {
    let parameters = unit.parameterTree.allParameters.filter {
      $0.flags.contains(.writable) && !$0.flags.contains(.nonRealTime)
    }
    guard let parameter = parameters.randomElement(using: &random) else { return }
    let value = Float.random(in: parameter.range, using: &random)
    let ramp =
      parameter.flags.contains(.canRamp) ? Int.random(in: 0..<2000, using: &random) : 0
    do throws(ScheduleError) {
      try unit.scheduleParameter(
        parameter.address, value: value, at: .immediate, rampFrames: ramp)
    } catch {
      // A full queue is an answer, not a failure of this test.
      guard case .queueFull = error else { throw error }
    }
  }
}
