// How a connection that comes or goes is heard.

import Realtime

/// The straight line along which a signal comes or goes at the start of a schedule.
enum Fade {
  /// A power of two: its steps are exact.
  static var frames: Int { @_noLocks @_noAllocation get { 128 } }

  /// Copies `count` samples with the factors from `position` on; the places do not overlap.
  ///
  /// - Parameter position: frames since the schedule began; from `frames` on the signal is wholly
  ///   there, or gone.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  static func copy(
    _ fade: ScheduleStep.Fade, _ source: UnsafePointer<Float>,
    to destination: UnsafeMutablePointer<Float>, position: Int, count: Int
  ) {
    let faded = max(0, min(count, frames &- position))
    var index = 0
    while index < faded {
      destination[index] = source[index] * factor(fade, position &+ index)
      index &+= 1
    }
    // What has gone is not multiplied by zero: it may be no number.
    if case .falling = fade {
      Samples.clear(destination + faded, count: count &- faded)
    } else {
      Samples.copy(source + faded, to: destination + faded, count: count &- faded)
    }
  }

  /// Adds `count` samples likewise.
  /// - Thread: [render]. - Complexity: O(count)
  @_noLocks @_noAllocation
  static func add(
    _ fade: ScheduleStep.Fade, _ source: UnsafePointer<Float>,
    to destination: UnsafeMutablePointer<Float>, position: Int, count: Int
  ) {
    let faded = max(0, min(count, frames &- position))
    var index = 0
    while index < faded {
      destination[index] += source[index] * factor(fade, position &+ index)
      index &+= 1
    }
    if case .falling = fade { return }
    Samples.add(source + faded, to: destination + faded, count: count &- faded)
  }

  @_noLocks @_noAllocation
  private static func factor(_ fade: ScheduleStep.Fade, _ position: Int) -> Float {
    let risen = Float(position &+ 1) * (1 / 128)
    if case .falling = fade { return 1 - risen }
    return risen
  }
}
