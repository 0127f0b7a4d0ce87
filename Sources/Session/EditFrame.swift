// Start frames of structural changes.

import SessionModel

/// Checks and waits for the frames at which changes of units and connections begin.
enum EditFrame {
  /// Maximum distance of such a frame in the future, in seconds.
  static let longestSeconds = 60.0
  /// Time between the handover to the render thread and the frame, in seconds.
  static let leadSeconds = 0.25

  /// - Throws: `SessionCommandError` for a frame that has passed, or is too far ahead.
  static func check(
    _ frame: Int64, now: Int64?, sampleRate: Double?
  ) throws(SessionCommandError) {
    guard let now, let sampleRate else { throw SessionControl.noFrames }
    guard frame > now else {
      throw SessionCommandError(
        "frame \(frame) has passed: the session is at \(now)",
        accepted: frames(after: now, sampleRate))
    }
    try checkAhead(frame, now: now, sampleRate)
  }

  /// - Throws: `SessionCommandError` for a frame that is too far ahead.
  static func checkAhead(
    _ frame: Int64, now: Int64, _ sampleRate: Double
  ) throws(SessionCommandError) {
    guard frame <= now + Int64(longestSeconds * sampleRate) else {
      throw SessionCommandError(
        "frame \(frame) is more than \(Int(longestSeconds)) seconds ahead",
        accepted: frames(after: now, sampleRate))
    }
  }

  private static func frames(after now: Int64, _ sampleRate: Double) -> String {
    "\(now + 1) to \(now + Int64(longestSeconds * sampleRate))"
  }

  /// Waits until a frame is near enough to send events for it.
  ///
  /// - Parameters:
  ///   - clock: returns nil if no server is running any more.
  ///   - time: the time that passes with the frames.
  static func wait(
    until frame: Int64, _ clock: @Sendable () -> SessionClock?, _ time: any SessionTime
  ) async throws {
    while true {
      guard let now = clock() else { throw SessionControl.noFrames }
      let seconds = seconds(until: frame, now)
      if seconds > longestSeconds { throw haveBegunAnew }
      if seconds <= 0 { return }
      try await time.sleep(for: .seconds(min(seconds, 1)))
    }
  }

  /// Returns the time until a frame is near enough, in seconds.
  static func seconds(until frame: Int64, _ now: SessionClock) -> Double {
    let lead = max(leadSeconds, 2 * Double(now.soon - now.frame) / now.sampleRate)
    return Double(frame - now.frame) / now.sampleRate - lead
  }

  private static let haveBegunAnew = SessionCommandError(
    "the frames have begun anew meanwhile", accepted: "the same again")

  /// Checks a frame that was waited for, because another server may count from another start.
  ///
  /// - Throws: an error if it is far ahead, or if nothing renders.
  static func checkNear(_ frame: Int64?, _ now: SessionClock?) throws(SessionCommandError) {
    guard let frame else { return }
    guard let now else { throw SessionControl.noFrames }
    if seconds(until: frame, now) > 1 { throw haveBegunAnew }
  }
}
