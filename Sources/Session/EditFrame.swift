// Changes of structure on a frame.

import JackBackend

/// When a change of units and connections begins.
enum EditFrame {
  /// How far ahead one may be, in seconds: what takes time waits behind it.
  static let longestSeconds = 60.0
  /// How long before its frame it is handed to the render thread, in seconds.
  static let leadSeconds = 0.25

  /// The frame is so far ahead that the session does something else meanwhile.
  struct Early: Error { let seconds: Double }

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
  /// - Parameter clock: nil where no server is there any more.
  static func wait(
    until frame: Int64, _ clock: @Sendable () -> SessionClock?
  ) async throws {
    while true {
      guard let now = clock() else { throw SessionControl.noFrames }
      let lead = max(leadSeconds, 2 * Double(now.soon - now.frame) / now.sampleRate)
      let seconds = Double(frame - now.frame) / now.sampleRate - lead
      if seconds > longestSeconds { throw haveBegunAnew }
      if seconds <= 0 { return }
      try await Task.sleep(for: .seconds(min(seconds, 1)))
    }
  }

  private static let haveBegunAnew = SessionCommandError(
    "the frames have begun anew meanwhile", accepted: "the same again")

  /// - Throws: `Early`; `SessionCommandError` where no server is there any more.
  static func wait(for frame: Int64?, _ connection: JackConnection?) throws {
    guard let frame else { return }
    guard let connection, let sampleRate = connection.sampleRate else {
      throw SessionControl.noFrames
    }
    let now = Int64(connection.backend.statistics.frame)
    let seconds = Double(frame - now) / sampleRate - leadSeconds
    if seconds > longestSeconds { throw haveBegunAnew }
    if seconds > 0 { throw Early(seconds: min(seconds, 1)) }
  }
}
