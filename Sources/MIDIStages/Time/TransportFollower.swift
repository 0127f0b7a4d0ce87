// The host's transport as musical time.

import Realtime
import UnitRender

/// Follows the musical context of the calls.
///
/// JACK states positions once a period, in ticks of a beat, which are coarser than frames. While
/// the transport rolls within a tick of its line, the line is therefore kept. A stated position
/// within a tick of that of a song with constant tempo, at the same frame, is taken to be exactly
/// that. If the tempo changes within a period, the line misses the next stated position. It is
/// corrected there, so that no error remains.
struct TransportFollower: BitwiseCopyable {
  /// The tick, in beats, of a transport that does not state its own.
  private static var usualTick: Double { @_noLocks @_noAllocation get { 1.0 / 1920 } }
  /// The largest correction, in beats: a rolling transport that is further off has jumped.
  private static var longestCorrection: Double { @_noLocks @_noAllocation get { 0.25 } }
  private static var tempos: (low: Double, high: Double) {
    @_noLocks @_noAllocation get { (1, 1000) }
  }

  private(set) var isRolling = false
  /// Whether the transport is about to roll, and waits.
  private(set) var isStarting = false
  /// Whether the transport's master states bars, beats and a tempo.
  private(set) var hasBeats = false
  /// The tempo in quarter notes a minute; 0 if the transport states none.
  private(set) var tempo = 0.0
  private(set) var anchor: FrameTime = 0
  /// The position in beats at the anchor, if the transport has beats.
  private(set) var beat = 0.0
  /// The transport's own frame at the anchor.
  private(set) var transportFrame = 0.0
  /// Whether the latest call did not begin at the position where the one before ended.
  private(set) var hasJumped = false

  /// - Thread: [control]
  init() {}

  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall) {
    let context = call.context
    let wasRolling = isRolling
    let hadBeats = hasBeats
    let oldTempo = tempo
    isRolling = context.transportFlags & UInt32(kTransportMoving) != 0
    isStarting = context.transportFlags & UInt32(kTransportStarting) != 0
    let scale = Self.beatsOfUnit(context)
    tempo = 0
    if context.valid & UInt32(kMusicalContextTempo) != 0 {
      let stated = context.tempo * scale
      if stated >= Self.tempos.low && stated <= Self.tempos.high { tempo = stated }
    }
    let position = context.beatPosition * scale
    hasBeats =
      tempo > 0 && context.valid & UInt32(kMusicalContextBeatPosition) != 0 && abs(position) < 1e9
    hasJumped =
      !wasRolling || hadBeats != hasBeats
      || context.transportFlags & UInt32(kTransportChanged) != 0
    if !isRolling { return }
    let frame = Self.frame(context)
    if !hasBeats {
      let expected = transportFrame + Double(call.start &- anchor)
      if hasJumped || frame != expected {
        hasJumped = true
        anchor = call.start
        transportFrame = frame
      }
      return
    }
    let expected = beat + Double(call.start &- anchor) * oldTempo / (60 * call.sampleRate)
    let tick = Self.tick(context) * scale
    let miss = expected - position
    // Masters omit the fractions of ticks, or round them.
    if !hasJumped && miss <= tick && miss >= -tick / 2 {
      if tempo != oldTempo {
        anchor = call.start
        beat = expected
      }
      return
    }
    if abs(miss) > Self.longestCorrection { hasJumped = true }
    anchor = call.start
    transportFrame = frame
    let even = frame * tempo / (60 * call.sampleRate)
    beat = hasJumped && abs(position - even) <= tick ? even : position
  }

  /// A tick in the transport's beats, plus 1 % for rounding errors.
  @_noLocks @_noAllocation
  private static func tick(_ context: MusicalContext) -> Double {
    let stated = context.beatResolution
    return 1.01 * (stated > 0 && stated < 0.1 ? stated : usualTick)
  }

  @_noLocks @_noAllocation
  mutating func reset() { self = TransportFollower() }

  @_noLocks @_noAllocation
  private static func frame(_ context: MusicalContext) -> Double {
    let isKnown = context.valid & UInt32(kTransportPosition) != 0
    return isKnown && abs(context.samplePosition) < 1e15 ? context.samplePosition : 0
  }

  /// The number of quarter notes in a beat of the transport.
  @_noLocks @_noAllocation
  private static func beatsOfUnit(_ context: MusicalContext) -> Double {
    let denominator = context.timeSignatureDenominator
    if context.valid & UInt32(kMusicalContextTimeSignature) == 0 { return 1 }
    if denominator < 1 || denominator > 64 { return 1 }
    return 4 / Double(denominator)
  }
}
