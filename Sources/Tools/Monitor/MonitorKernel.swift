// The monitor's kernel.

import Realtime
import UnitRender

/// Sends all its MIDI to a ring.
struct MonitorKernel: RenderKernel, ~Copyable {
  private let ring: MonitorRing

  /// - Parameter ring: must outlive the kernel.
  /// - Thread: [control]
  init(_ ring: MonitorRing) { self.ring = ring }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    let (frame, count) = (event.pointee.frame, event.pointee.length)
    switch event.pointee.eventKind {
    case .midi?: ring.send(CapturedEvent(ShortMessage(of: event), count: count, at: frame))
    case .systemExclusive?:
      ring.send(CapturedEvent(list.systemExclusiveBytes(of: event), count: count, at: frame))
    default: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {}

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    ring.end(at: call.call.pointee.frame &+ FrameTime(call.frameCount))
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func monitorRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(MonitorKernel.self, context, call)
}

@_noLocks @_noAllocation
func monitorReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(MonitorKernel.self, context)
}
