// The data of a render call that a chain needs.

public import Realtime
public import UnitRender

/// The frames of a render call and the musical context of the first of them.
public struct MIDIChainCall: BitwiseCopyable {
  /// The call's first frame.
  public let start: FrameTime
  public let frameCount: Int
  /// The sample rate in hertz, above 0.
  public let sampleRate: Double
  /// The host's transport at the first frame.
  public let context: MusicalContext

  /// - Thread: [any]
  @_noLocks @_noAllocation
  public init(
    start: FrameTime, frameCount: Int, sampleRate: Double,
    context: MusicalContext = MusicalContext()
  ) {
    self.start = start
    self.frameCount = frameCount
    self.sampleRate = sampleRate
    self.context = context
  }

  /// Takes the data from a unit's call.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public init(_ call: RenderCallView, sampleRate: Double) {
    self.init(
      start: call.call.pointee.frame, frameCount: call.frameCount, sampleRate: sampleRate,
      context: call.call.pointee.musicalContext)
  }

  /// The frame after the last.
  public var end: FrameTime {
    @_noLocks @_noAllocation get { start &+ FrameTime(frameCount) }
  }
}
