// Reading JACK's transport.

import CJack
import UnitRender

/// Returns the musical context of the cycle that begins.
/// - Thread: [render]
@_noLocks @_noAllocation
func musicalContext(
  _ state: UnsafeMutablePointer<JackRenderState>, _ frames: UInt32
) -> MusicalContext {
  var position = jack_position_t()
  let transport = Vouched.transport(state.pointee.client, &position)
  return state.pointee.transport.context(of: position, state: transport, frames: frames)
}
