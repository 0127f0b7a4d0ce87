// A source that is a function, for tests of engines.

import UnitModel
import UnitRender

/// Each frame of its one channel is a step higher than the one before: 1/1024.
///
/// - Parameter whenFreed: called when its memory is given back.
func stairs(_ whenFreed: @escaping @Sendable () -> Void) throws -> SourceUnit {
  let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  place.initialize(to: 0)
  return try SourceUnit(
    channels: 1, context: place, render: renderStairs,
    free: {
      $0.deallocate()
      whenFreed()
    })
}

@_noLocks @_noAllocation
private func renderStairs(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let place = context.assumingMemoryBound(to: Int.self)
  let call = RenderCallView(call)
  guard let samples = call.output(0)[0] else { return 0 }
  var frame = 0
  while frame < call.frameCount {
    samples[frame] = Float(place.pointee) * (1 / 1024)
    place.pointee &+= 1
    frame &+= 1
  }
  return 0
}
