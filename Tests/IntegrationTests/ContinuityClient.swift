// A client that watches a counter unit in every cycle, independently of JACK's frame counter.

import CJack
import TestSupport

/// Observations of a `ContinuityClient`.
struct Continuity: BitwiseCopyable {
  var frames = 0
  /// Frames at which the count was not the next one.
  var breaks = 0
  /// Whether the count is silent after it was heard.
  var isSilent = false
  var count: Float = 0
  /// The largest second difference of the other input.
  var bend: Float = 0
  var last: Float = 0
  var secondLast: Float = 0

  mutating func see(_ count: Float, _ sample: Float) {
    // 0 is silence. It is no break before the connections are made, or after the server has removed
    // them from a closing client.
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

/// A client with the count at its first input, and a smooth signal at its second.
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
