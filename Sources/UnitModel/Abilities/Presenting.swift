// Units that want to know when they are heard.

/// A unit that tells when its sound has been heard, and for that is told how late that is.
///
/// AUv3: `contextPresentationLatency`.
public protocol Presenting: AudioUnit {
  /// Seconds from the unit's output to what is heard: through all that is behind it, and out of the
  /// machine. A host sets it, and again when it changes.
  ///
  /// - Thread: [any]
  var contextPresentationLatency: Double { get set }
}
