// An arpeggio of the real command follows the transport of a real server, step by step.

import CJack
import TestSupport
import Testing

/// A song in 4/4: 100 beats a minute for two bars, then 150. Periods have 240 frames. After a
/// locate to a multiple of 240 every cycle begins on a tick, of 15 and 10 frames.
private enum Song {
  static let period = 240
  static let ticksPerBeat = 1920
  static let beatsBeforeChange = 8
  static let slowBeat = 28_800
  static let fastBeat = 19_200
  static var change: Int { beatsBeforeChange * slowBeat }

  static func tempo(at frame: Int) -> Double { frame < change ? 100 : 150 }

  static func ticks(at frame: Int) -> Int {
    frame < change
      ? frame * ticksPerBeat / slowBeat
      : beatsBeforeChange * ticksPerBeat + (frame - change) * ticksPerBeat / fastBeat
  }

  /// The first frame of the transport at or after a beat.
  static func frame(ofBeat beat: Double) -> Int {
    let after = beat - Double(beatsBeforeChange)
    // The rounding error is far below a hundredth of a frame.
    return after < 0
      ? Int((beat * Double(slowBeat) - 0.01).rounded(.up))
      : change + Int((after * Double(fastBeat) - 0.01).rounded(.up))
  }
}

@Suite(.serialized) struct TransportStepTests {
  private static let configuration = """
    [[unit]]
    id = "steps"
    component = "midi"
    midi = [
      { stage = "clock", source = "automatic", tempo = 100, pass = false },
      { stage = "arpeggiator", rate = "1/16", mode = "up-down", octaves = 2, gate = 60,\
        swing = 56, begin = "with the song" },
      { stage = "echo", delay = "1/8.", repeats = 2, velocity = 60 },
    ]
    """

  /// The key of a sixteenth of the song: up and down over two octaves of a chord of three.
  private static func key(ofStep step: Int) -> UInt8 {
    let rising: [UInt8] = [60, 64, 67, 72, 76, 79]
    let place = step % 10
    return rising[place < 6 ? place : 10 - place]
  }

  private static func frame(ofStep step: Int) -> Int {
    Song.frame(ofBeat: Double(step) * 0.25 + (step % 2 == 0 ? 0 : (2 * 0.56 - 1) * 0.25))
  }

  /// The steps within consecutive cycles, at frames of the take.
  private static func steps(_ cycles: ArraySlice<TransportCycle>, _ frames: Int) -> [TimedMIDI] {
    let first = cycles.first!
    let end = cycles.last!.position + min(Song.period, frames - cycles.last!.frame)
    return (0..<1000).compactMap { step in
      let position = frame(ofStep: step)
      guard position >= first.position && position < end else { return nil }
      return TimedMIDI(
        frame: first.frame + position - first.position, bytes: [0x90, key(ofStep: step), 100])
    }
  }

  /// The stretches in which the transport rolls without a jump.
  private static func stretches(_ cycles: [TransportCycle]) -> [ArraySlice<TransportCycle>] {
    var stretches: [ArraySlice<TransportCycle>] = []
    for (index, cycle) in cycles.enumerated() where cycle.isRolling {
      if let last = stretches.last, last.endIndex == index,
        last.last!.position + cycle.frame - last.last!.frame == cycle.position
      {
        stretches[stretches.count - 1] = cycles[last.startIndex...index]
      } else {
        stretches.append(cycles[index...index])
      }
    }
    return stretches
  }

  @Test func stepsLieOnTheirFramesBeforeAndAfterLocatesAndOtherTempos() async throws {
    let frames = 450_000
    let server = try await JackServer.start(period: Song.period)
    let auricle = try await RunningAuricle(Self.configuration, on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    let recorder = try JackTestClient(server, "recorder", midiInputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:steps_midi_in")
    try await recorder.connect("auricle:steps_midi_out", to: "recorder:midi_in_1")
    jack_set_timebase_callback(
      player.handle, 0,
      { _, _, position, _, _ in
        guard let position else { return }
        let frame = Int(position.pointee.frame)
        let ticks = Song.ticks(at: frame)
        position.pointee.valid = JackPositionBBT
        position.pointee.beats_per_minute = Song.tempo(at: frame)
        position.pointee.beats_per_bar = 4
        position.pointee.beat_type = 4
        position.pointee.ticks_per_beat = Double(Song.ticksPerBeat)
        position.pointee.tick = Int32(ticks % Song.ticksPerBeat)
        position.pointee.beat = Int32(ticks / Song.ticksPerBeat % 4) + 1
        position.pointee.bar = Int32(ticks / Song.ticksPerBeat / 4) + 1
      }, nil)
    let chord: [UInt8] = [60, 64, 67]
    player.script.midi =
      chord.map { TimedMIDI(frame: 2400, bytes: [0x90, $0, 100]) }
      + chord.map { TimedMIDI(frame: 410_000, bytes: [0x80, $0, 0]) }
    player.script.transport = [
      .init(frame: 20_000, .locate(200 * Song.period)), .init(frame: 24_000, .start),
      .init(frame: 260_000, .locate(50 * Song.period)),
      .init(frame: 330_000, .locate(1200 * Song.period)), .init(frame: 400_000, .stop),
    ]
    try await player.setFreewheel(true)
    let takes = try await JackTestClient.run([player, recorder], frames: frames)
    try await player.setFreewheel(false)
    #expect(takes.allSatisfy { $0.isComplete })
    let take = takes[1]
    // The recorder sees the same transport as the command, cycle by cycle.
    let stretches = Self.stretches(take.transport)
    #expect(stretches.map { $0.first!.position / Song.period } == [200, 50, 1200])
    #expect(stretches[0].contains { $0.tempo == 100 } && stretches[0].contains { $0.tempo == 150 })
    for stretch in stretches {
      #expect(stretch.allSatisfy { $0.beat != nil })
      let range = stretch.first!.frame..<stretch.last!.frame + Song.period
      let played = take.midi.filter {
        range.contains($0.frame) && $0.bytes[0] == 0x90 && $0.bytes[2] == 100
      }
      let expected = Self.steps(stretch, frames)
      #expect(expected.count >= 10)
      #expect(played == expected)
    }
    #expect(Self.held(take.midi).isEmpty)
    try await auricle.expectEnd()
  }

  /// The keys that are held at the end.
  private static func held(_ midi: [TimedMIDI]) -> Set<UInt8> {
    midi.reduce(into: []) { held, message in
      if message.bytes[0] == 0x90 && message.bytes[2] > 0 {
        held.insert(message.bytes[1])
      } else if message.bytes[0] & 0xE0 == 0x80 {
        held.remove(message.bytes[1])
      }
    }
  }
}
