// Units that follow the host's clock.

/// A unit that takes a jump of the frame time for frames that were skipped, and is to know of a
/// pause, in which no time passes.
public protocol PausingUnit: AudioUnit {
  /// A pause ends: the next frame follows the last one before it.
  ///
  /// - Thread: [control], before the next call
  func endPause()
}
