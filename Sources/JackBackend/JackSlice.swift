// A part of JACK's cycle.

import GraphRender
import Realtime

/// The frames of a period for which one graph is rendered: all of it, or what is before or behind a
/// change on a frame.
struct JackSlice: BitwiseCopyable {
  var cycle: RenderCycle
  /// Of the first frame within the period.
  let offset: Int
  /// In frames.
  let period: UInt32

  @_noLocks @_noAllocation
  init(cycle: RenderCycle, offset: Int, period: UInt32) {
    self.cycle = cycle
    self.offset = offset
    self.period = period
  }

  var isFirst: Bool { @_noLocks @_noAllocation get { offset == 0 } }

  /// Where the frames of a port are.
  @_noLocks @_noAllocation
  func samples(_ port: OpaquePointer) -> UnsafeMutablePointer<Float>? {
    guard let samples = Vouched.audioBuffer(port, period) else { return nil }
    return samples + offset
  }
}
