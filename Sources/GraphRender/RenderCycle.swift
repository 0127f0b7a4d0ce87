// One cycle of a backend.

import Realtime
import UnitRender

/// Time and context of one cycle.
public struct RenderCycle: BitwiseCopyable {
  /// The frame time of the cycle's first frame.
  public var frame: FrameTime
  public var frameCount: Int
  /// The cycle's start on the monotonic clock in nanoseconds, 0 when offline.
  public var hostNanoseconds: UInt64
  /// The musical context at the cycle's first frame.
  public var musicalContext: MusicalContext
  /// The session's frame that a chain's cycle is rendered for; nil outside chains.
  var pulledAt: FrameTime?

  @_noLocks @_noAllocation
  public init(
    frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64 = 0,
    musicalContext: MusicalContext = MusicalContext()
  ) {
    self.frame = frame
    self.frameCount = frameCount
    self.hostNanoseconds = hostNanoseconds
    self.musicalContext = musicalContext
    pulledAt = nil
  }

  /// Returns the session's frame, `offset` frames into the cycle.
  @_noLocks @_noAllocation
  func sessionFrame(at offset: Int) -> FrameTime { pulledAt ?? frame &+ FrameTime(offset) }

  /// Returns a part of the cycle as a separate cycle.
  @_noLocks @_noAllocation
  package func part(from offset: Int, frameCount: Int, sampleRate: Double) -> RenderCycle {
    RenderCycle(
      frame: frame &+ FrameTime(offset), frameCount: frameCount,
      hostNanoseconds: hostNanoseconds,
      musicalContext: musicalContext(at: offset, sampleRate: sampleRate))
  }

  /// Returns the musical context `offset` frames into the cycle.
  @_noLocks @_noAllocation
  func musicalContext(at offset: Int, sampleRate: Double) -> MusicalContext {
    musicalContext.advanced(by: offset, sampleRate: sampleRate)
  }
}

extension MusicalContext {
  /// Returns the context moved by `lead` frames, which may be negative.
  @_noLocks @_noAllocation
  func moved(by lead: Int, sampleRate: Double) -> MusicalContext {
    if lead == 0 { return self }
    var context = self
    context.samplePosition += Double(lead)
    let framesPerBeat = 60 * sampleRate / tempo
    if valid & UInt32(kMusicalContextTempo) == 0 || !(framesPerBeat >= 1 && framesPerBeat < 1e9) {
      return context
    }
    context.beatPosition += Double(lead) / framesPerBeat
    let into = Self.remainder(
      -Double(sampleOffsetToNextBeat) + Double(lead), framesPerBeat)
    context.sampleOffsetToNextBeat = Int32(saturating: into == 0 ? 0 : framesPerBeat - into)
    if valid & UInt32(kMusicalContextMeasure) != 0, timeSignatureNumerator >= 1 {
      let sinceDownbeat = context.beatPosition - measureDownbeat
      context.measureDownbeat =
        context.beatPosition - Self.remainder(sinceDownbeat, timeSignatureNumerator)
    }
    return context
  }

  /// Returns the remainder, from 0 up to `divisor`, which is at least 1.
  @_noLocks @_noAllocation
  private static func remainder(_ value: Double, _ divisor: Double) -> Double {
    let rest = value - Double(Int(saturating: value / divisor)) * divisor
    return rest < 0 ? rest + divisor : rest
  }
}
