// The musical context of a later frame.

import Realtime

extension MusicalContext {
  /// Returns the context `offset` frames later. Arbitrary values from a backend never trap.
  @_noLocks @_noAllocation
  package func advanced(by offset: Int, sampleRate: Double) -> MusicalContext {
    var context = self
    if offset == 0 { return context }
    // The change was at the first frame.
    context.transportFlags &= ~UInt32(kTransportChanged | kTransportJumped)
    if context.transportFlags & UInt32(kTransportMoving) == 0 { return context }
    context.samplePosition += Double(offset)
    let framesPerBeat = 60 * sampleRate / context.tempo
    if context.valid & UInt32(kMusicalContextTempo) == 0
      || !(framesPerBeat >= 1 && framesPerBeat < 1e9)
    {
      return context
    }
    context.beatPosition += Double(offset) / framesPerBeat
    let passed = Double(offset) - Double(context.sampleOffsetToNextBeat)
    if passed > 0 {
      // Beats that begin within the frames before `offset`, after the one that was next.
      let beats = Self.whole((passed - 1) / framesPerBeat) + 1
      context.sampleOffsetToNextBeat =
        max(0, Int32(saturating: Self.whole(beats * framesPerBeat + 0.5) - passed))
    } else {
      context.sampleOffsetToNextBeat = Int32(saturating: -passed)
    }
    let measure = context.timeSignatureNumerator
    let measures = (context.beatPosition - context.measureDownbeat) / measure
    if context.valid & UInt32(kMusicalContextMeasure) != 0 && measures >= 1 && measures < 1e9 {
      context.measureDownbeat += measure * Self.whole(measures)
    }
    return context
  }

  @_noLocks @_noAllocation
  private static func whole(_ value: Double) -> Double { Double(Int(saturating: value)) }
}
