// Wild positions of a timebase master: the session continues.

import CJack
import Graph
import JackBackend
import MIDIEffectUnit
import OfflineBackend
import TestSupport
import Testing
import UnitModel
import UnitRender

/// Positions as a faulty or hostile timebase master writes them.
struct WildPositions {
  var random: SeededRandom

  private static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.25, 3, 4, 120, 480, 1920, 1e-300, 1e20, -1e20, 1e308, 2_147_483_648,
    9_223_372_036_854_775_808, .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude,
  ]
  private static let integers: [Int32] = [
    0, 1, 2, 4, -1, .min, .min + 1, .max, .max - 1, 1_000_000_000, -1_000_000_000,
  ]
  private static let frames: [UInt32] = [0, 1, 44_100, 48_000, .max, .max - 10, 1 << 31]

  mutating func next() -> jack_position_t {
    var position = jack_position_t()
    position.valid = JackPositionBBT
    // Sane values first, so that one wild field does not always hide another.
    position.frame_rate = 48_000
    position.frame = wildly(1, Self.frames, else: UInt32.random(in: 0..<96_000, using: &random))
    position.bar = 3
    position.beat = 2
    position.tick = 100
    position.beats_per_bar = 4
    position.beat_type = 4
    position.ticks_per_beat = 1920
    position.beats_per_minute = Double.random(in: 20...300, using: &random)
    var faults = Int.random(in: 0...3, using: &random)
    while faults > 0 {
      faults -= 1
      let value = Self.doubles.randomElement(using: &random)!
      let integer = Self.integers.randomElement(using: &random)!
      switch Int.random(in: 0..<11, using: &random) {
      case 0: position.bar = integer
      case 1: position.beat = integer
      case 2: position.tick = integer
      case 3: position.bar_start_tick = value
      case 4: position.beats_per_bar = Float(value)
      case 5: position.beat_type = Float(value)
      case 6: position.ticks_per_beat = value
      case 7: position.beats_per_minute = value
      case 8: position.frame_rate = Self.frames.randomElement(using: &random)!
      case 9: position.bbt_offset = Self.frames.randomElement(using: &random)!
      default: position.tick_double = value
      }
    }
    position.valid = jack_position_bits_t(
      rawValue: wildly(
        4, [0, .max],
        else: JackPositionBBT.rawValue | UInt32.random(
          in: 0..<2, using: &random) * JackBBTFrameOffset.rawValue))
    return position
  }

  private mutating func wildly<Value>(_ chance: Int, _ wild: [Value], else usual: Value) -> Value {
    Int.random(in: 0..<4 * chance, using: &random) == 0
      ? wild.randomElement(using: &random)! : usual
  }
}

@Suite(.serialized) struct TransportFuzzTests {
  private static func graph() throws -> Graph {
    let unit = try MIDIEffectUnit(midiStages: [.clock, .arpeggiator, .echo])
    let graph = Graph()
    try graph.add(unit, id: "steps")
    return graph
  }

  /// Held keys, so that there is always a next step to find.
  private static let keys = [60, 64, 67].map {
    OfflineBackend.TimedMIDI(
      frame: 0, bytes: [0x90, $0, 100])
  }

  @Test(arguments: 0..<4) func noPositionEndsTheRenderThread(seed: UInt64) throws {
    var wild = WildPositions(random: SeededRandom(seed: seed))
    var reader = TransportReader()
    let renderer = OfflineRenderer(
      try Self.graph().compile(CompileOptions(sampleRate: 48_000, maximumFrames: 50)))
    for cycle in 0..<500 {
      let position = wild.next()
      let state = UInt32.random(in: 0...4, using: &wild.random)
      // Longer than the units' slices, so that positions advance within the cycle, too.
      let frames = [32, 64, 100].randomElement(using: &wild.random)!
      let context = reader.context(of: position, state: state, frames: UInt32(frames))
      #expect(context.beatPosition.isFinite && context.measureDownbeat.isFinite)
      #expect(context.tempo.isFinite && context.timeSignatureNumerator.isFinite)
      #expect(abs(context.beatPosition) <= 1e9)
      _ = renderer.render(
        frameCount: frames, midi: cycle == 0 ? [Self.keys] : [], context: context)
      // No step can be shorter than a frame.
      #expect(renderer.midiOutput(ofUnit: 0).count < 8192)
    }
  }

  /// Ignores values that are no position in a song, and takes others unchanged.
  @Test func plausibleValuesOfAMasterAreTaken() {
    func context(_ change: (inout jack_position_t) -> Void) -> MusicalContext {
      var position = jack_position_t()
      position.valid = JackPositionBBT
      position.frame_rate = 48_000
      (position.bar, position.beat, position.tick) = (3, 2, 960)
      (position.beats_per_bar, position.beat_type) = (3, 8)
      (position.ticks_per_beat, position.beats_per_minute) = (1920, 90)
      position.bar_start_tick = 6 * 1920
      change(&position)
      var reader = TransportReader()
      return reader.context(of: position, state: JackTransportRolling.rawValue, frames: 64)
    }
    let sane = context { _ in }
    #expect(sane.beatPosition == 7.5 && sane.tempo == 90)
    #expect(sane.timeSignatureNumerator == 3 && sane.timeSignatureDenominator == 8)
    #expect(sane.sampleOffsetToNextBeat == 16_000)
    let beats = UInt32(kMusicalContextBeatPosition)
    for value in [Double.nan, .infinity, 0, -1, 1e20] {
      #expect(context { $0.beats_per_minute = value }.valid & beats == 0)
      #expect(context { $0.ticks_per_beat = value }.valid & beats == 0)
      // Tempo and position hold without the note value of a beat.
      let untyped = context { $0.beat_type = Float(value) }
      #expect(untyped.beatPosition == 7.5)
      #expect(untyped.valid & UInt32(kMusicalContextTimeSignature) == 0)
    }
    #expect(context { $0.bar = .min }.valid & beats == 0)
    #expect(context { $0.beat = .min }.valid & beats == 0)
    #expect(context { $0.tick = .max }.beatPosition.isFinite)
  }

  /// Takes the positions from a real master on a real server.
  @Test func aWildTimebaseMasterIsSurvived() async throws {
    let server = try await JackServer.start(period: 4096)
    let rig = try BackendRig(try Self.graph(), on: server)
    let player = try JackTestClient(server, "player", midiOutputs: 1)
    try await player.connect("player:midi_out_1", to: "auricle:steps_midi_in")
    let control = try JackTestClient(server, "control")
    let wild = UnsafeMutablePointer<WildPositions>.allocate(capacity: 1)
    wild.initialize(to: WildPositions(random: SeededRandom(seed: 1)))
    defer { wild.deallocate() }
    jack_set_timebase_callback(
      control.handle, 0,
      { _, _, position, _, argument in
        guard let position else { return }
        let wild = argument!.assumingMemoryBound(to: WildPositions.self).pointee.next()
        position.pointee.valid = wild.valid
        (position.pointee.bar, position.pointee.beat, position.pointee.tick) =
          (wild.bar, wild.beat, wild.tick)
        position.pointee.bar_start_tick = wild.bar_start_tick
        position.pointee.beats_per_bar = wild.beats_per_bar
        position.pointee.beat_type = wild.beat_type
        position.pointee.ticks_per_beat = wild.ticks_per_beat
        position.pointee.beats_per_minute = wild.beats_per_minute
        position.pointee.bbt_offset = wild.bbt_offset
      }, wild)
    jack_transport_start(control.handle)
    player.script.midi = Self.keys.map { .init(frame: 0, bytes: $0.bytes) }
    try await control.setFreewheel(true)
    let take = try await player.run(frames: 60 * 4096)
    #expect(await eventually { rig.backend.statistics.cycles > 60 })
    try await control.setFreewheel(false)
    jack_release_timebase(control.handle)
    #expect(take.missedFrames == 0)
  }
}
