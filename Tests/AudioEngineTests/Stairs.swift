// A source that is a function, for tests of engines.

import UnitModel
import UnitRender

/// Each frame is a step higher than the one before: 1/1024.
///
/// - Parameters:
///   - channels: all of them alike; nil for one, and for a source that has no reset.
///   - whenFreed: called when its memory is given back.
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
