// Watches the output of a counter unit in every cycle, whatever JACK's frame counter says.

import CJack
import TestSupport

/// What a `ContinuityClient` saw.
struct Continuity: BitwiseCopyable {
  var frames = 0
  /// Frames at which the count did not go on by one.
  var breaks = 0
  /// Whether the count is not heard, after it was.
  var isSilent = false
  var count: Float = 0
  /// The largest second difference of the other input.
  var bend: Float = 0
  var last: Float = 0
  var secondLast: Float = 0

  mutating func see(_ count: Float, _ sample: Float) {
    // 0 is silence. Before the connections are made, and when the server has taken them away from a
    // client that closes, it is no break.
    if count == 0 {
      isSilent = frames > 0
      return
    }
    frames += 1
    if frames > 1 && (isSilent || count != CounterKernel.count(after: self.count)) { breaks += 1 }
    isSilent = false
    // The filter has settled by then.
    if frames > 2000 { bend = max(bend, abs(sample + secondLast - 2 * last)) }
    self.count = count
    secondLast = last
    last = sample
  }
}

/// Its first input takes the count, its second a smooth signal.
final class ContinuityClient: RawClient<Continuity> {
  init(_ server: JackServer) throws {
    try super.init(server, "watcher", inputs: 2, state: Continuity()) { frames, argument in
      let context = argument!.assumingMemoryBound(to: RawClient<Continuity>.Context.self)
      let counts = jack_port_get_buffer(context.pointee.inputs[0], frames)!
        .assumingMemoryBound(to: Float.self)
      let samples = jack_port_get_buffer(context.pointee.inputs[1], frames)!
        .assumingMemoryBound(to: Float.self)
      for frame in 0..<Int(frames) { context.pointee.state.see(counts[frame], samples[frame]) }
      return 0
    }
  }
}
