// Floods of program changes and MIDI tuning through the real command on a real server.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct FloodTests {
  private static let font = SoundFontMaker(
    presets: [(0, 0, 100), (0, 1, 70), (0, 90, 150), (1, 0, 50), (2, 5, 120), (128, 0, 80)].map {
      .init(
        bank: $0, program: $1, name: "Sine \($0):\($1)",
        zones: [.init(sample: .sine(periodFrames: $2), releaseSeconds: 0.05)])
    })

  private static func configuration(_ soundFont: URL) -> String {
    """
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "\(soundFont.path)"
    midi = [{ stage = "transpose", semitones = 0 }]
    """
  }

  /// One message of every kind of MIDI Tuning, universal realtime and non-realtime, with random
  /// content.
  private static func tunings(_ random: inout SeededRandom) -> [[UInt8]] {
    func data(_ count: Int) -> [UInt8] { random.bytes(count).map { $0 & 0x7F } }
    let name = Array("A tuning of all  ".utf8.prefix(16))
    let bodies: [[UInt8]] = [
      [0x00] + data(1),  // dump request
      [0x01] + data(1) + name + data(3 * 128 + 1),  // bulk dump
      [0x02] + data(1) + [5] + data(5 * 4),  // single notes
      [0x03] + data(2),  // dump request of a bank
      [0x04] + data(2) + name + data(3 * 128 + 1),  // key-based dump
      [0x05] + data(2) + name + data(12 + 1),  // scale and octave, one byte
      [0x06] + data(2) + name + data(24 + 1),  // scale and octave, two bytes
      [0x07] + data(2) + [5] + data(5 * 4),  // single notes of a bank
      [0x08, 3, 0x7F, 0x7F] + data(12),  // scale and octave on all channels, one byte
      [0x09, 3, 0x7F, 0x7F] + data(24),  // the same, two bytes
    ]
    return bodies.flatMap { body in
      [0x7E, 0x7F].map { [0xF0, $0, 0x7F, 0x08] + body + [0xF7] as [UInt8] }
    }
  }

  /// Programs, banks and tunings of all channels while notes play, and the ends of all notes.
  private static func flood(_ frames: Range<Int>) -> [TimedMIDI] {
    var random = SeededRandom(seed: 71)
    var held: [[UInt8]] = []
    var waiting: [[UInt8]] = []
    return frames.flatMap { frame -> [TimedMIDI] in
      let channel = UInt8.random(in: 0..<16, using: &random)
      let value = UInt8.random(in: 0..<128, using: &random)
      var messages: [[UInt8]] = []
      switch frame % 24 {
      case 0:
        messages = [[0x90 | channel, value, 100]]
        held.append([channel, value])
      case 8 where held.count > 20:
        let note = held.remove(at: Int.random(in: 0..<held.count, using: &random))
        messages = [[0x80 | note[0], note[1], 0]]
      case 12:
        if waiting.isEmpty { waiting = tunings(&random) }
        messages = [waiting.removeLast()]
      case 16:
        // The tuning's program or bank, as a registered parameter.
        messages = [[101, 0], [100, 3 + (value & 1)], [6, value], [101, 127], [100, 127]]
          .map { [0xB0 | channel] + $0 }
      case let place where place % 2 == 1:
        let bank = UInt8.random(in: 0..<4, using: &random)
        messages = [
          [0xB0 | channel, 0, bank], [0xB0 | channel, 32, value], [0xC0 | channel, value],
        ]
      default: break
      }
      return messages.map { TimedMIDI(frame: frame, bytes: $0) }
    } + held.map { TimedMIDI(frame: frames.upperBound, bytes: [0x80 | $0[0], $0[1], 0]) }
  }

  @Test func aFloodOfProgramsAndTuningsLeavesTheNextNoteAsItWas() async throws {
    let directory = try TemporaryDirectory()
    let font = try Self.font.write(to: directory.file("flood.sf2"))
    let server = try await JackServer.start(period: 256)
    let auricle = try await RunningAuricle(Self.configuration(font), on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
    try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
    for channel in 1...2 {
      try await recorder.connect(
        "auricle:piano_out_\(channel)", to: "recorder:audio_in_\(channel)")
    }
    let (first, last) = (4800, 120_000)
    var midi: [TimedMIDI] = []
    for start in [first, last] {
      midi.append(TimedMIDI(frame: start, bytes: [0x90, 64, 100]))
      midi.append(TimedMIDI(frame: start + 9600, bytes: [0x80, 64, 0]))
    }
    midi += Self.flood(24_000..<72_000)
    for channel: UInt8 in 0..<16 {
      for message: [UInt8] in [[0xB0, 0, 0], [0xB0, 32, 0], [0xC0, 0]] {
        midi.append(
          TimedMIDI(frame: 96_000, bytes: [message[0] | channel] + message.dropFirst()))
      }
    }
    player.script.midi = midi
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: 144_000)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete })
    for sound in takes[1].audio {
      #expect(peakDecibels(Array(sound[first..<first + 9600])) > -40)
      #expect(peakDecibels(Array(sound[24_000..<72_000])) > -40)
      // No note hangs, and the note sounds as before, except its first moment: see `SamplerUnit`.
      #expect(sound[90_000..<last].allSatisfy { $0 == 0 })
      let before = Array(sound[first + 128..<first + 15_000])
      let after = Array(sound[last + 128..<last + 15_000])
      #expect(peakDecibels(difference: before, after) < -120)
      #expect(sound[first - 1] == 0 && sound[last - 1] == 0)
    }
    try await auricle.expectEnd()
    #expect(!auricle.child.standardError.contains("no room"))
    #expect(
      auricle.child.standardError.contains(
        "piano: SysEx messages for it that it does not carry out"),
      "\(auricle.child.standardError)")
  }
}
