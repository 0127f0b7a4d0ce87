// JACK's transport as musical context.

import CJack
import UnitRender

/// The musical context of the cycle that begins.
/// - Thread: [render]
@_noLocks @_noAllocation
func musicalContext(
  _ state: UnsafeMutablePointer<JackRenderState>, _ frames: UInt32
) -> MusicalContext {
  var position = jack_position_t()
  let transport = Vouched.transport(state.pointee.client, &position)
  let isRolling = transport == JackTransportRolling.rawValue
  var context = MusicalContext()
  context.valid = UInt32(kTransportPosition)
  context.samplePosition = Double(position.frame)
  if isRolling { context.transportFlags |= UInt32(kTransportMoving) }
  if transport != state.pointee.lastTransportState
    || position.frame != state.pointee.expectedTransportFrame
  {
    context.transportFlags |= UInt32(kTransportChanged)
  }
  state.pointee.lastTransportState = transport
  state.pointee.expectedTransportFrame = isRolling ? position.frame &+ frames : position.frame

  if position.valid.rawValue & JackPositionBBT.rawValue == 0 || position.ticks_per_beat <= 0
    || position.beats_per_minute <= 0
  {
    return context
  }
  context.valid |=
    UInt32(kMusicalContextTempo) | UInt32(kMusicalContextTimeSignature)
    | UInt32(kMusicalContextBeatPosition) | UInt32(kMusicalContextMeasure)
  context.tempo = position.beats_per_minute
  context.timeSignatureNumerator = Double(position.beats_per_bar)
  context.timeSignatureDenominator = Int32(position.beat_type)
  // JACK's bars and beats count from 1; the tick is within the beat.
  context.measureDownbeat = Double(position.bar - 1) * Double(position.beats_per_bar)
  var beat =
    context.measureDownbeat + Double(position.beat - 1)
    + Double(position.tick) / position.ticks_per_beat
  let framesPerBeat = 60 * Double(position.frame_rate) / position.beats_per_minute
  if position.valid.rawValue & JackBBTFrameOffset.rawValue != 0 && framesPerBeat > 0 {
    // The given position is that of a frame `bbt_offset` before the cycle's first.
    beat += Double(position.bbt_offset) / framesPerBeat
  }
  context.beatPosition = beat
  if beat >= 0 && beat < 1e9 && framesPerBeat < 1e9 {
    let fraction = beat - Double(Int64(beat))
    context.sampleOffsetToNextBeat = fraction == 0 ? 0 : Int32((1 - fraction) * framesPerBeat + 0.5)
  }
  return context
}
