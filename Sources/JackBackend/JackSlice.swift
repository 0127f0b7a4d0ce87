// A slice of JACK's cycle.

import GraphRender
import Realtime

/// The frames of a period rendered with one graph: all of it, or the part before or after an
/// exchange on a frame.
struct JackSlice: BitwiseCopyable {
  var cycle: RenderCycle
  /// The index of the first frame within the period.
  let offset: Int
  /// The period in frames.
  let period: UInt32

  @_noLocks @_noAllocation
  init(cycle: RenderCycle, offset: Int, period: UInt32) {
    self.cycle = cycle
    self.offset = offset
    self.period = period
  }

  var isFirst: Bool { @_noLocks @_noAllocation get { offset == 0 } }

  /// Returns the port's samples of this slice.
  @_noLocks @_noAllocation
  func samples(_ port: OpaquePointer) -> UnsafeMutablePointer<Float>? {
    guard let samples = Vouched.audioBuffer(port, period) else { return nil }
    return samples + offset
  }
}
