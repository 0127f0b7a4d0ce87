// Changes of structure on a frame.

import SessionModel

/// When a change of units and connections begins.
enum EditFrame {
  /// How far ahead one may be, in seconds: what takes time waits behind it.
  static let longestSeconds = 60.0
  /// How long before its frame it is handed to the render thread, in seconds.
  static let leadSeconds = 0.25

  /// - Throws: `SessionCommandError` for a frame that has passed, or is too far ahead.
  static func check(
    _ frame: Int64, now: Int64?, sampleRate: Double?
  ) throws(SessionCommandError) {
    guard let now, let sampleRate else { throw SessionControl.noFrames }
    let most = now + Int64(longestSeconds * sampleRate)
    guard frame > now else {
      throw SessionCommandError(
        "frame \(frame) has passed: the session is at \(now)", accepted: "\(now + 1) to \(most)")
    }
    guard frame <= most else {
      throw SessionCommandError(
        "frame \(frame) is more than \(Int(longestSeconds)) seconds ahead",
        accepted: "\(now + 1) to \(most)")
    }
  }

  /// Waits until a frame is near enough for what sends events for it.
  ///
  /// - Parameters:
  ///   - clock: nil where no server is there any more.
  ///   - time: passes with the frames.
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

  /// How long it is until a frame is near enough, in seconds.
  static func seconds(until frame: Int64, _ now: SessionClock) -> Double {
    let lead = max(leadSeconds, 2 * Double(now.soon - now.frame) / now.sampleRate)
    return Double(frame - now.frame) / now.sampleRate - lead
  }

  private static let haveBegunAnew = SessionCommandError(
    "the frames have begun anew meanwhile", accepted: "the same again")

  /// A frame that was waited for, as another server may count it.
  ///
  /// - Throws: that it is far ahead, or that nothing renders.
  static func checkNear(_ frame: Int64?, _ now: SessionClock?) throws(SessionCommandError) {
    guard let frame else { return }
    guard let now else { throw SessionControl.noFrames }
    if seconds(until: frame, now) > 1 { throw haveBegunAnew }
  }
}
