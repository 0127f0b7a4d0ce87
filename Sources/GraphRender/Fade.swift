// Fading connections in and out.

import Realtime

/// The linear fade of a signal that is added or removed.
enum Fade {
  /// The length of a fade in frames; a power of two, so that its steps are exact.
  static var frames: Int { @_noLocks @_noAllocation get { ScheduleStep.fadeFrames } }

  /// Copies `count` samples with the fade's gains from `position` on; the buffers must not overlap.
  ///
  /// - Parameter position: frames since the fade began, negative before it; from `frames` on the
  ///   signal has full level, or is silent.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  static func copy(
    _ fade: ScheduleStep.Fade, _ source: UnsafePointer<Float>,
    to destination: UnsafeMutablePointer<Float>, position: Int, count: Int
  ) {
    let first = max(0, min(count, 0 &- position))
    let end = max(first, min(count, frames &- position))
    var index = first
    while index < end {
      destination[index] = source[index] * factor(fade, position &+ index)
      index &+= 1
    }
    // Silence is cleared, not multiplied by zero: the source may contain NaN.
    if case .falling = fade {
      Samples.copy(source, to: destination, count: first)
      Samples.clear(destination + end, count: count &- end)
    } else {
      Samples.clear(destination, count: first)
      Samples.copy(source + end, to: destination + end, count: count &- end)
    }
  }

  /// Adds `count` samples with the fade's gains from `position` on.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  static func add(
    _ fade: ScheduleStep.Fade, _ source: UnsafePointer<Float>,
    to destination: UnsafeMutablePointer<Float>, position: Int, count: Int
  ) {
    let first = max(0, min(count, 0 &- position))
    let end = max(first, min(count, frames &- position))
    var index = first
    while index < end {
      destination[index] += source[index] * factor(fade, position &+ index)
      index &+= 1
    }
    if case .falling = fade {
      Samples.add(source, to: destination, count: first)
    } else {
      Samples.add(source + end, to: destination + end, count: count &- end)
    }
  }

  @_noLocks @_noAllocation
  private static func factor(_ fade: ScheduleStep.Fade, _ position: Int) -> Float {
    let risen = Float(position &+ 1) * (1 / 128)
    if case .falling = fade { return 1 - risen }
    return risen
  }
}
