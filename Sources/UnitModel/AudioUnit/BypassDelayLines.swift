// Delay lines for the input of a bypassed unit.

import UnitRender

/// One delay line for each channel that a bypassed unit passes through. Freed together with the
/// last host that uses it.
final class BypassDelayLines: @unchecked Sendable {
  /// Used by one render thread at a time.
  private let lines: UnsafeMutablePointer<AlignmentDelay>
  private let channelCount: Int
  private let capacity: Int

  /// - Parameters:
  ///   - frames: the unit's latency, above 0.
  ///   - rises: whether the unit was heard before, so that the first samples fade in.
  private init(channelCount: Int, frames: Int, rises: Bool) {
    self.channelCount = channelCount
    capacity = AlignmentDelay.capacity(for: frames)
    lines = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      (lines + channel).initialize(
        to: AlignmentDelay(frames: frames, capacity: capacity, rises: rises))
    }
  }

  deinit {
    for channel in 0..<channelCount { lines[channel].deallocate() }
    lines.deallocate()
  }

  /// Returns the delay lines of a unit's bypass path; nil if it needs none. Reuses `former` if its
  /// channel count and capacity suffice, so that a new latency is crossfaded.
  static func of(
    _ unit: AudioUnit, frames: Int, following former: BypassDelayLines?
  ) -> BypassDelayLines? {
    guard frames > 0 || former != nil, let input = unit.inputBusses.busses.first,
      let output = unit.outputBusses.busses.first
    else { return nil }
    let channelCount = min(input.format.channelCount, output.format.channelCount)
    if let former, former.channelCount == channelCount,
      former.capacity >= AlignmentDelay.capacity(for: frames)
    {
      return former
    }
    return BypassDelayLines(channelCount: channelCount, frames: frames, rises: former != nil)
  }

  func delayed(by frames: Int) -> DelayedBypass {
    DelayedBypass(lines, channelCount: channelCount, frames: frames)
  }
}
