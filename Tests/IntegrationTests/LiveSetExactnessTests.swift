// A live set is bit-identical on a server and bounced.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct LiveSetExactnessTests {
  /// Three sounds of two SoundFonts, with moving settings, through both effects.
  private static let configuration = """
    [client]
    name = "live"

    [[unit]]
    id = "keys"
    component = "sampler"
    soundfont = "soft.sf2"
    preset = "Soft"
    entry-channel = 16
    midi = [{ stage = "transpose", semitones = 0 }]
    parameters = { gain = 0.0, reverb.on = true, chorus.on = true }

    [[unit.entry]]
    number = 0
    name = "Soft"
    parameters = { gain = 3.0 }

    [[unit.entry]]
    number = 1
    name = "Low"
    program = 1
    parameters = { gain = -3.0, midi.transpose.semitones = -12, reverb.roomSize = 0.7 }

    [[unit.entry]]
    number = 9
    name = "Hard"
    soundfont = "hard.sf2"
    parameters = { pan = 30, chorus.depth = 20.0 }
    """

  private static func font(_ periods: [Int], seed: UInt64) -> SoundFontMaker {
    SoundFontMaker(
      presets: periods.enumerated().map { program, period in
        .init(
          program: UInt16(program), name: "Sine \(period)",
          zones: [
            .init(sample: .sine(periodFrames: period), attackSeconds: 0.002, releaseSeconds: 0.2),
            .init(sample: .noise(seed: seed, isLooped: true), attenuationDecibels: 20),
          ])
      })
  }

  /// Notes on four channels, pedals, programs of single channels, and repeated entries, some of
  /// them two on one frame.
  private static func score(frames: Int) -> [TimedMIDI] {
    var random = SeededRandom(seed: 61)
    var midi: [TimedMIDI] = []
    for index in 0..<70 {
      let start = Int.random(in: 0..<frames * 3 / 4, using: &random)
      let channel = UInt8(index % 4)
      let key = UInt8.random(in: 40..<90, using: &random)
      midi.append(TimedMIDI(frame: start, bytes: [0x90 | channel, key, 90]))
      let end = start + Int.random(in: 1..<frames / 4, using: &random)
      midi.append(TimedMIDI(frame: end, bytes: [0x80 | channel, key, 64]))
      let frame = Int.random(in: 0..<frames, using: &random)
      switch index % 5 {
      case 0: midi.append(TimedMIDI(frame: frame, bytes: [0xB0 | channel, 64, key]))
      case 1: midi.append(TimedMIDI(frame: frame, bytes: [0xC0 | channel, key & 1]))
      default:
        let entries: [UInt8] = index % 10 == 2 ? [9, 1] : [[0, 1, 9][index % 3]]
        midi += entries.map { TimedMIDI(frame: frame, bytes: [0xCF, $0]) }
      }
    }
    return midi.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
  }

  @Test(arguments: [64, 1024])
  func liveAndBouncedAudioAreIdentical(period: Int) async throws {
    let frames = 60_000
    let directory = try TemporaryDirectory()
    try Self.font([100, 75], seed: 3).write(to: directory.file("soft.sf2"))
    try Self.font([160], seed: 4).write(to: directory.file("hard.sf2"))
    let configuration = ["soft", "hard"].reduce(Self.configuration) {
      $0.replacing("\"\($1).sf2\"", with: "\"\(directory.file($1 + ".sf2").path)\"")
    }
    let midi = Self.score(frames: frames)

    let server = try await JackServer.start(period: period)
    let live = try await RunningAuricle(configuration, on: server, arguments: ["--verbose"])
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    try await player.connect("player:midi_out_1", to: "live:keys_midi_in")
    for channel in 1...2 {
      try await recorder.connect(
        "live:keys_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    player.script.midi = midi
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: frames)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete && $0.startsInCycle == 0 })
    _ = try await live.child.waitForLine(containing: "Hard", in: .standardError)
    try await live.expectEnd()
    #expect(!live.child.standardError.contains("frames after"))

    var score = MIDIFileMaker.frameExact(sampleRate: 48_000)
    for message in midi { score.add(message.bytes, at: message.frame) }
    let file = try directory.write(configuration, to: "session.toml")
    let notes = try directory.write(score.bytes(endTick: frames), to: "score.mid")
    let output = directory.file("output.wav")
    let (status, child) = try await auricle([
      "bounce", file.path, "--midi", notes.path, "--output", output.path, "--period", "333",
      "--tail", "0",
    ])
    #expect(status == .exited(0), "\(child.transcript)")
    let bounced = try AudioFileReader(contentsOf: output).read(maximumFrames: frames)
    for channel in 0..<2 {
      #expect(peakDecibels(bounced[channel]) > -30)
      #expect(firstDifference(takes[1].audio[channel], bounced[channel]) == nil)
    }
  }
}
