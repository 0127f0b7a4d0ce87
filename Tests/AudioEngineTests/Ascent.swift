// A source's state that rises, for tests of engines.

import Synchronization
import UnitModel
import UnitRender

/// A count of freed states.
final class FreedStates: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add() { number.add(1, ordering: .relaxed) }
}

/// A state whose source rises by `step` with each frame.
struct Ascent: ~Copyable {
  private let freed: FreedStates
  var step: Float = 0
  var position = 0

  init(_ freed: FreedStates) { self.freed = freed }

  deinit { freed.add() }
}

@_noLocks @_noAllocation
func renderAscent(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let state = context.assumingMemoryBound(to: Ascent.self)
  let call = RenderCallView(call)
  guard let samples = call.output(0)[0] else { return -1 }
  var frame = 0
  while frame < call.frameCount {
    samples[frame] = Float(state.pointee.position &+ frame) * state.pointee.step
    frame &+= 1
  }
  state.pointee.position &+= call.frameCount
  return 0
}

@_noLocks @_noAllocation
func resetAscent(_ context: UnsafeMutableRawPointer) {
  context.assumingMemoryBound(to: Ascent.self).pointee.position = 0
}
