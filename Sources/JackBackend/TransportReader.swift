// Conversion of JACK's transport to a musical context, with checks of the timebase master's data.

import CJack
import Realtime
import UnitRender

/// Makes a cycle's musical context from JACK's transport.
///
/// A master may write anything: NaN, infinity, a bar of `Int32.min`. An invalid tempo or position
/// counts as not stated; all results lie within `Limits`. If a master's bar and beat do not change,
/// the position advances by frames.
package struct TransportReader: BitwiseCopyable {
  private var lastState: UInt32 = 0
  private var expectedFrame: UInt32 = 0
  private var tracker = SongTracker()

  /// - Thread: [control]
  package init() {}

  /// Returns the musical context of the cycle that begins.
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
      song.move(to: tracker.beat(of: song, at: position.frame))
      song.write(to: &context)
    } else {
      tracker = SongTracker()
    }
    return context
  }
}

/// The song's position, from cycle to cycle.
private struct SongTracker: BitwiseCopyable {
  /// The last beat stated by the master, the beat used for it, and the transport's frame then.
  private var stated = Double.nan
  private var taken = 0.0
  private var frame: UInt32 = 0

  /// - Thread: [control]
  init() {}

  /// Returns the beat at a frame of the transport: the stated beat. If the master states the same
  /// beat again, it advances by the frames since, at the stated tempo.
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

/// A tempo and a position in a song, each within its range.
private struct SongPosition: BitwiseCopyable {
  /// Limits far beyond all music. Within them all products and quotients below fit `Int32` and
  /// `Double`.
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
  /// 0 if the master states none: tempo and position are valid without it.
  let beatType: Double
  /// Positions of the bar's start and of the beat, in beats from the start of the song.
  private(set) var measureDownbeat: Double
  private(set) var beat: Double
  /// Resolution in beats: ticks are coarser than frames.
  let resolution: Double
  /// 0 if the frame rate is invalid.
  let framesPerBeat: Double

  /// Reads a JACK position; nil unless the master states bars, beats and a possible tempo.
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
    // If the meter has changed, only the ticks before the bar say where the bar begins. A master
    // that omits them means bars of equal length. They are 0 then, or, after
    // `jack_transport_locate`, uninitialised stack memory of the client that called it. Bars and
    // beats count from 1.
    let bars = Double(position.bar) - 1
    let even = bars * beatsPerBar
    let start = position.bar_start_tick / position.ticks_per_beat
    measureDownbeat = holds(Limits.beatsPerBar, start / bars) ? start : even
    let isExact = bits & JackTickDouble.rawValue != 0 && holds(Limits.tick, position.tick_double)
    let tick = isExact ? position.tick_double : Double(position.tick)
    resolution = isExact ? 1e-6 : 1 / position.ticks_per_beat
    var beat = measureDownbeat + (Double(position.beat) - 1) + tick / position.ticks_per_beat
    if bits & JackBBTFrameOffset.rawValue != 0 && framesPerBeat > 0 {
      // The given position applies to a frame `bbt_offset` before the cycle's first.
      beat += Double(position.bbt_offset) / framesPerBeat
    }
    self.beat = beat
    if !holds(Limits.beat, beat) || !holds(Limits.beat, even) { return nil }
  }

  /// Moves to a beat that the master has not stated, over bars of the current length.
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
