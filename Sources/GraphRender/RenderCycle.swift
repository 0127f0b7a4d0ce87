// One cycle of a backend.

import Realtime
import UnitRender

/// Time and context of one cycle.
public struct RenderCycle: BitwiseCopyable {
  /// The frame time of the cycle's first frame.
  public var frame: FrameTime
  public var frameCount: Int
  /// The cycle's start by the monotonic clock in nanoseconds, 0 when offline.
  public var hostNanoseconds: UInt64
  /// The musical context at the cycle's first frame.
  public var musicalContext: MusicalContext

  @_noLocks @_noAllocation
  public init(
    frame: FrameTime, frameCount: Int, hostNanoseconds: UInt64 = 0,
    musicalContext: MusicalContext = MusicalContext()
  ) {
    self.frame = frame
    self.frameCount = frameCount
    self.hostNanoseconds = hostNanoseconds
    self.musicalContext = musicalContext
  }

  /// The musical context `offset` frames into the cycle.
  @_noLocks @_noAllocation
  func musicalContext(at offset: Int, sampleRate: Double) -> MusicalContext {
    var context = musicalContext
    if offset == 0 || context.transportFlags & UInt32(kTransportMoving) == 0 { return context }
    context.samplePosition += Double(offset)
    if context.valid & UInt32(kMusicalContextTempo) != 0 {
      context.beatPosition += Double(offset) * context.tempo / (60 * sampleRate)
    }
    context.transportFlags &= ~UInt32(kTransportChanged)
    return context
  }
}
