// A source unit made of a function, for tests of engines.

import UnitModel
import UnitRender

/// Returns a source whose every frame is a step of 1/1024 above the one before.
///
/// - Parameters:
///   - channels: number of channels, all equal; nil for one channel and no reset.
///   - whenFreed: called when the source's memory is freed.
func stairs(
  channels: Int? = nil, _ whenFreed: @escaping @Sendable () -> Void
) throws -> SourceUnit {
  let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  place.initialize(to: 0)
  let free: @Sendable (UnsafeMutableRawPointer) -> Void = {
    $0.deallocate()
    whenFreed()
  }
  do {
    guard let channels else {
      return try SourceUnit(channels: 1, context: place, render: renderStairs, free: free)
    }
    return try SourceUnit(
      channels: channels, context: place, render: renderStairs, reset: resetStairs, free: free)
  } catch {
    place.deallocate()
    throw error
  }
}

@_noLocks @_noAllocation
private func resetStairs(_ context: UnsafeMutableRawPointer) {
  context.assumingMemoryBound(to: Int.self).pointee = 0
}

@_noLocks @_noAllocation
private func renderStairs(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let place = context.assumingMemoryBound(to: Int.self)
  let call = RenderCallView(call)
  var channel = 0
  while channel < call.output(0).channelCount {
    guard let samples = call.output(0)[channel] else { return -1 }
    var frame = 0
    while frame < call.frameCount {
      samples[frame] = Float(place.pointee &+ frame) * (1 / 1024)
      frame &+= 1
    }
    channel &+= 1
  }
  place.pointee &+= call.frameCount
  return 0
}
