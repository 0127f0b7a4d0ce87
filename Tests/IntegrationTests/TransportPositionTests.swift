// Positions in a song, as stated by JACK's timebase master.

import CJack
import Graph
import JackBackend
import MIDIEffectUnit
import OfflineBackend
import Realtime
import Testing
import UnitModel
import UnitRender

@Suite struct TransportPositionTests {
  /// A position in a song of 1,920 ticks a beat at 120 beats a minute.
  func position(
    bar: Int32, beat: Int32, tick: Int32, start: Double, beatsPerBar: Float = 4
  ) -> jack_position_t {
    var position = jack_position_t()
    position.valid = JackPositionBBT
    position.frame_rate = 48_000
    position.bar = bar
    position.beat = beat
    position.tick = tick
    position.bar_start_tick = start
    position.beats_per_bar = beatsPerBar
    position.beat_type = 4
    position.ticks_per_beat = 1920
    position.beats_per_minute = 120
    return position
  }

  func context(_ position: jack_position_t, _ state: jack_transport_state_t = JackTransportRolling)
    -> MusicalContext
  {
    var reader = TransportReader()
    return reader.context(of: position, state: state.rawValue, frames: 64)
  }

  @Test func aChangeOfMeterIsNoJump() {
    // Two bars of 4/4, then 3/4.
    let before = context(position(bar: 2, beat: 4, tick: 1919, start: 4 * 1920))
    let after = context(position(bar: 3, beat: 1, tick: 0, start: 8 * 1920, beatsPerBar: 3))
    let later = context(position(bar: 4, beat: 2, tick: 960, start: 11 * 1920, beatsPerBar: 3))
    #expect(before.beatPosition == 7 + 1919.0 / 1920)
    #expect(after.beatPosition == 8 && after.measureDownbeat == 8)
    #expect(later.beatPosition == 12.5 && later.measureDownbeat == 11)
    #expect(later.beatResolution == 1.0 / 1920)
  }

  @Test func aMasterThatLeavesTheTicksBeforeTheBarOutHasBarsOfOneLength() {
    #expect(context(position(bar: 3, beat: 2, tick: 0, start: 0)).beatPosition == 9)
    #expect(context(position(bar: 3, beat: 2, tick: 0, start: .nan)).beatPosition == 9)
    #expect(context(position(bar: 1, beat: 2, tick: 0, start: 0)).beatPosition == 1)
  }

  /// Ignores garbage in the ticks before the bar: `jack_transport_locate` leaves them undefined, as
  /// does a master that does not write them.
  @Test(arguments: [
    Double(bitPattern: 0x7F12_3456_7890), -1e-300, 1, -7680, 1e12, 1e300, .infinity,
  ])
  func implausibleTicksBeforeTheBarAreIgnored(start: Double) {
    #expect(context(position(bar: 3, beat: 2, tick: 0, start: start)).beatPosition == 9)
    #expect(context(position(bar: 1, beat: 2, tick: 0, start: start)).beatPosition == 1)
  }

  @Test func ticksWithFractionsAreTakenAsTheyAre() {
    var position = position(bar: 1, beat: 1, tick: 10, start: 0)
    position.tick_double = 10.5
    #expect(context(position).beatPosition == 10 / 1920.0)
    position.valid = jack_position_bits_t(
      rawValue: JackPositionBBT.rawValue | JackTickDouble.rawValue)
    #expect(context(position).beatPosition == 10.5 / 1920)
    #expect(context(position).beatResolution < 1e-5)
  }

  @Test func aTransportThatWaitsToStartIsNeitherStoppedNorRolling() {
    let position = position(bar: 1, beat: 1, tick: 0, start: 0)
    let flags = { (state: jack_transport_state_t) in
      context(position, state).transportFlags & UInt32(kTransportMoving | kTransportStarting)
    }
    #expect(flags(JackTransportStarting) == UInt32(kTransportStarting))
    #expect(flags(JackTransportRolling) == UInt32(kTransportMoving))
    #expect(flags(JackTransportStopped) == 0)
  }

  /// The position of a master whose bar and beat stand still, at a frame of the transport.
  func standing(at frame: Int, tempo: Double = 120) -> jack_position_t {
    var position = position(bar: 1, beat: 1, tick: 0, start: 0)
    position.frame = UInt32(frame)
    position.beats_per_minute = tempo
    return position
  }

  @Test func aPlaceThatStandsStillWhileTheTransportRollsGoesOnByFrames() {
    var reader = TransportReader()
    let rolling = JackTransportRolling.rawValue
    for frame in stride(from: 0, to: 300_000, by: 1000) {
      let context = reader.context(of: standing(at: frame), state: rolling, frames: 1000)
      let beat = Double(frame) / 24_000
      #expect(abs(context.beatPosition - beat) < 1e-9)
      #expect(context.measureDownbeat == (context.beatPosition / 4).rounded(.down) * 4)
    }
    // The transport may also be moved back.
    let back = reader.context(of: standing(at: 36_000), state: rolling, frames: 263_000)
    #expect(abs(back.beatPosition - 1.5) < 1e-9 && back.measureDownbeat == 0)
    _ = reader.context(of: standing(at: 299_000), state: rolling, frames: 1000)
    // Another tempo advances from there, and a master that moves is followed.
    let faster = reader.context(of: standing(at: 300_000, tempo: 240), state: rolling, frames: 1000)
    #expect(abs(faster.beatPosition - (299.0 / 24 + 1.0 / 12)) < 1e-9)
    var there = position(bar: 2, beat: 3, tick: 0, start: 7680)
    there.frame = 301_000
    #expect(reader.context(of: there, state: rolling, frames: 1000).beatPosition == 6)
  }

  @Test func aPlaceThatStandsStillWithTheTransportStays() {
    var reader = TransportReader()
    let stopped = JackTransportStopped.rawValue
    for _ in 0..<100 {
      let context = reader.context(of: standing(at: 48_000), state: stopped, frames: 1000)
      #expect(context.beatPosition == 0)
    }
  }

  /// Includes periods longer than the unit's slices: within a cycle the position advances.
  @Test(arguments: [64, 100, 256, 1024])
  func anArpeggioGoesOnUnderAMasterWhoseBarAndBeatStandStill(period: Int) throws {
    let unit = try MIDIEffectUnit(midiStages: [.arpeggiator])
    let graph = Graph()
    try graph.add(unit, id: "steps")
    let renderer = OfflineRenderer(
      try graph.compile(CompileOptions(sampleRate: 48_000, maximumFrames: 256)))
    var reader = TransportReader()
    let key = [OfflineBackend.TimedMIDI(frame: 0, bytes: [0x90, 60, 100])]
    var steps: [FrameTime] = []
    for frame in stride(from: 0, to: 60_000, by: period) {
      let context = reader.context(
        of: standing(at: frame), state: JackTransportRolling.rawValue, frames: UInt32(period))
      _ = renderer.render(
        frameCount: period, midi: frame == 0 ? [key] : [], context: context)
      steps += renderer.midiOutput(ofUnit: 0).filter { $0.bytes[0] == 0x90 }.map(\.frame)
    }
    // Sixteenths at the master's tempo.
    #expect(steps.filter { $0 < 60_000 } == (0..<10).map { 6000 * $0 })
  }
}
