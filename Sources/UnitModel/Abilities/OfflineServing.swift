// Units with their own threads, which a host without a clock would outrun.

/// A unit whose own threads deliver or take audio in real time.
public protocol OfflineServing: AudioUnit {
  /// Does the work of these threads that is due before the next cycle.
  ///
  /// - Thread: [control], the one that renders
  func serveOffline()
}
