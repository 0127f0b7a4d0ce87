// Units that have to complete something.

/// A unit that completes something when a session ends, such as a file.
public protocol Finishing: AudioUnit {
  /// Completes the unit's work. Called after the last cycle has been rendered.
  ///
  /// - Thread: [control]
  func finish()
}
