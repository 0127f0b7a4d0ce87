// Units that follow the host's clock.

/// A unit that counts a jump of the frame time as skipped frames. A host reports pauses, in which
/// no time passes.
public protocol PausingUnit: AudioUnit {
  /// Ends a pause: the next frame follows the last one rendered before it.
  ///
  /// - Thread: [control], before the next call
  func endPause()
}
