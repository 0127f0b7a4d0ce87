// Units with threads of their own that a host without a clock would outrun.

/// A unit whose own threads bring or take sound in the host's time.
public protocol OfflineServing: AudioUnit {
  /// Does before a cycle what such a thread would have done by then.
  ///
  /// - Thread: [control], the one that renders
  func serveOffline()
}
