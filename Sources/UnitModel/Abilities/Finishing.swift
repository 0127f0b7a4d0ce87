// Units that have something to complete.

/// A unit that completes something when a session ends, such as a file.
public protocol Finishing: AudioUnit {
  /// Completes it, once nothing is rendered any more.
  ///
  /// - Thread: [control]
  func finish()
}
