// Units that need to know their output's latency.

/// A unit that reports when its audio has been heard, and therefore needs its output's latency.
///
/// AUv3: `contextPresentationLatency`.
public protocol Presenting: AudioUnit {
  /// Seconds from the unit's output to the listener: through all downstream units and out of the
  /// machine. A host sets it, and again when it changes.
  ///
  /// - Thread: [any]
  var contextPresentationLatency: Double { get set }
}
