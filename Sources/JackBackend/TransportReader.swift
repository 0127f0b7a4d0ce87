// JACK's transport as musical context: where all that a timebase master may write is checked.

import CJack
import Realtime
import UnitRender

/// Makes the musical context of a cycle of what JACK states of its transport.
///
/// A master may write anything: NaN, infinity, a bar of `Int32.min`. What is no tempo and no place
/// in a song leaves as if the master had stated none; what leaves lies within the ranges of
/// `Limits`. The place goes on by frames where a master's bar and beat stand still.
package struct TransportReader: BitwiseCopyable {
  private var lastState: UInt32 = 0
  private var expectedFrame: UInt32 = 0
  private var place = SongPosition()

  /// - Thread: [control]
  package init() {}

  /// The musical context of the cycle that begins.
  /// - Parameters:
  ///   - state: one of JACK's transport states.
  ///   - frames: of the cycle.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  package mutating func context(
    of position: jack_position_t, state: UInt32, frames: UInt32
  ) -> MusicalContext {
    let isRolling = state == JackTransportRolling.rawValue
    var context = MusicalContext()
    context.valid = UInt32(kTransportPosition)
    context.samplePosition = Double(position.frame)
    if isRolling { context.transportFlags |= UInt32(kTransportMoving) }
    if state == JackTransportStarting.rawValue {
      context.transportFlags |= UInt32(kTransportStarting)
    }
    let isJump = position.frame != expectedFrame
    if isJump { context.transportFlags |= UInt32(kTransportJumped) }
    if isJump || state != lastState { context.transportFlags |= UInt32(kTransportChanged) }
    lastState = state
    expectedFrame = isRolling ? position.frame &+ frames : position.frame
    if var song = SongPosition(position) {
      song.move(to: place.beat(of: song, at: position.frame))
      song.write(to: &context)
    } else {
      place = SongPosition()
    }
    return context
  }
}

/// Where a song has come to, from cycle to cycle.
private struct SongPosition: BitwiseCopyable {
  /// The beat that the master stated last, that taken for it, and the transport's frame then.
  private var stated = Double.nan
  private var taken = 0.0
  private var frame: UInt32 = 0

  /// - Thread: [control]
  init() {}

  /// The beat at a frame of the transport: the one that the master states. One that is stated again
  /// goes on by the frames since, at the tempo that is stated with it.
  @_noLocks @_noAllocation
  mutating func beat(of song: SongPosition, at frame: UInt32) -> Double {
    var beat = song.beat
    if song.beat == stated && song.framesPerBeat > 0 {
      let frames = Int32(truncatingIfNeeded: frame &- self.frame)
      let moved = taken + Double(frames) / song.framesPerBeat
      if holds(SongPosition.Limits.beat, moved) { beat = moved }
    }
    stated = song.beat
    taken = beat
    self.frame = frame
    return beat
  }
}

/// A tempo and a place in a song, each within its range.
private struct SongPosition: BitwiseCopyable {
  /// Far beyond all music; within them no product or quotient below leaves what `Int32` and
  /// `Double` hold.
  enum Limits {
    static var tempo: ClosedRange<Double> { @_noLocks @_noAllocation get { 0.01...100_000 } }
    static var ticksPerBeat: ClosedRange<Double> { @_noLocks @_noAllocation get { 0.01...1e9 } }
    static var beatsPerBar: ClosedRange<Double> { @_noLocks @_noAllocation get { 0.01...1024 } }
    static var beatType: ClosedRange<Double> { @_noLocks @_noAllocation get { 1...1024 } }
    static var tick: ClosedRange<Double> { @_noLocks @_noAllocation get { -1e15...1e15 } }
    static var beat: ClosedRange<Double> { @_noLocks @_noAllocation get { -1e9...1e9 } }
    static var frameRate: ClosedRange<Double> { @_noLocks @_noAllocation get { 1...10_000_000 } }
  }

  let tempo: Double
  let beatsPerBar: Double
  /// 0 where the master states none: tempo and place hold without it.
  let beatType: Double
  /// In beats from the start of the song.
  private(set) var measureDownbeat: Double
  private(set) var beat: Double
  /// In beats: ticks are coarser than frames.
  let resolution: Double
  /// 0 where the frame rate makes no sense.
  let framesPerBeat: Double

  /// Nil unless the master states bars, beats and a tempo that can be.
  @_noLocks @_noAllocation
  init?(_ position: jack_position_t) {
    let bits = position.valid.rawValue
    if bits & JackPositionBBT.rawValue == 0
      || !holds(Limits.tempo, position.beats_per_minute)
      || !holds(Limits.ticksPerBeat, position.ticks_per_beat)
      || !holds(Limits.beatsPerBar, Double(position.beats_per_bar))
    {
      return nil
    }
    tempo = position.beats_per_minute
    beatsPerBar = Double(position.beats_per_bar)
    beatType = holds(Limits.beatType, Double(position.beat_type)) ? Double(position.beat_type) : 0
    let rate = Double(position.frame_rate)
    framesPerBeat = holds(Limits.frameRate, rate) ? 60 * rate / tempo : 0
    // Where the meter has changed, the ticks before the bar alone say where it begins. A master
    // that leaves them out means bars of one length: then they are 0, or, after
    // `jack_transport_locate`, what lay on the stack of the client that called it. Bars and beats
    // count from 1.
    let bars = Double(position.bar) - 1
    let even = bars * beatsPerBar
    let start = position.bar_start_tick / position.ticks_per_beat
    measureDownbeat = holds(Limits.beatsPerBar, start / bars) ? start : even
    let isExact = bits & JackTickDouble.rawValue != 0 && holds(Limits.tick, position.tick_double)
    let tick = isExact ? position.tick_double : Double(position.tick)
    resolution = isExact ? 1e-6 : 1 / position.ticks_per_beat
    var beat = measureDownbeat + (Double(position.beat) - 1) + tick / position.ticks_per_beat
    if bits & JackBBTFrameOffset.rawValue != 0 && framesPerBeat > 0 {
      // The given position is that of a frame `bbt_offset` before the cycle's first.
      beat += Double(position.bbt_offset) / framesPerBeat
    }
    self.beat = beat
    if !holds(Limits.beat, beat) || !holds(Limits.beat, even) { return nil }
  }

  /// Moves on to a beat that the master has not stated, over bars of the length that it has.
  @_noLocks @_noAllocation
  mutating func move(to beat: Double) {
    if beat == self.beat { return }
    self.beat = beat
    let bars = (beat - measureDownbeat) / beatsPerBar
    let whole = Int(saturating: bars)
    measureDownbeat += beatsPerBar * Double(bars < Double(whole) ? whole &- 1 : whole)
  }

  @_noLocks @_noAllocation
  func write(to context: inout MusicalContext) {
    context.valid |=
      UInt32(kMusicalContextTempo) | UInt32(kMusicalContextBeatPosition)
      | UInt32(kMusicalContextMeasure)
    context.tempo = tempo
    context.timeSignatureNumerator = beatsPerBar
    if beatType > 0 {
      context.valid |= UInt32(kMusicalContextTimeSignature)
      context.timeSignatureDenominator = Int32(saturating: beatType)
    }
    context.measureDownbeat = measureDownbeat
    context.beatPosition = beat
    context.beatResolution = resolution
    if beat >= 0 && framesPerBeat < 1e9 {
      let fraction = beat - Double(Int(saturating: beat))
      context.sampleOffsetToNextBeat =
        fraction == 0 ? 0 : Int32(saturating: (1 - fraction) * framesPerBeat + 0.5)
    }
  }
}

/// Whether a value lies in a range; NaN lies in none.
@_noLocks @_noAllocation
private func holds(_ range: ClosedRange<Double>, _ value: Double) -> Bool {
  value >= range.lowerBound && value <= range.upperBound
}
