// Progress lines for files that take noticeable time to load.

public import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// Writes progress lines of loading files: none for a file that loads within half a second,
/// otherwise one each half second.
public final class LoadingReport: Sendable {
  private struct State {
    var file: URL?
    var start = ContinuousClock.now
    var lastLine = ContinuousClock.now
    var hasSpoken = false
  }

  /// The load time below which nothing is reported; also the minimum time between two lines.
  public static let patience: Duration = .milliseconds(500)

  private let state = Mutex(State())
  private let write: @Sendable (String) -> Void

  /// - Parameter write: receives a line, such as "loading FluidR3_GM.sf2: 40 %".
  /// - Thread: [any]
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Reports that a part of a file, 0 to 1, has been read at the time `now`.
  ///
  /// - Thread: [any]
  public func update(
    _ file: URL, _ part: Double, at now: ContinuousClock.Instant = .now
  ) {
    let line: String? = state.withLock { state in
      if state.file != file {
        state = State(file: file, start: now, lastLine: now, hasSpoken: false)
      }
      let isDue = now - state.lastLine >= Self.patience
      if part >= 1 { state.file = nil }
      guard isDue || (part >= 1 && state.hasSpoken) else { return nil }
      state.lastLine = now
      state.hasSpoken = true
      if part >= 1 {
        let seconds = (now - state.start) / .seconds(1)
        return "loaded \(file.lastPathComponent) in \(seconds.text(decimals: 1)) s"
      }
      return "loading \(file.lastPathComponent): \(Int(part * 100)) %"
    }
    if let line { write(line) }
  }
}
