// Says how far files are read that take noticeable time.

public import Foundation
import Synchronization

/// Makes lines of the progress of loading: none for files that are read within half a second, and
/// then one each half second.
public final class LoadingReport: Sendable {
  private struct State {
    var file: URL?
    var start = ContinuousClock.now
    var lastLine = ContinuousClock.now
    var hasSpoken = false
  }

  /// Shorter loads are not reported; also the least time between two lines.
  public static let patience: Duration = .milliseconds(500)

  private let state = Mutex(State())
  private let write: @Sendable (String) -> Void

  /// - Parameter write: takes a line, such as "loading FluidR3_GM.sf2: 40 %".
  /// - Thread: [any]
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Takes in that a part of a file, 0 to 1, is read at a time.
  ///
  /// - Thread: [any]
  public func tell(
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
        return "loaded \(file.lastPathComponent) in \(String(format: "%.1f", seconds)) s"
      }
      return "loading \(file.lastPathComponent): \(Int(part * 100)) %"
    }
    if let line { write(line) }
  }
}
