// A second render thread.

import CRealtime
public import Glibc
import Synchronization

/// The use of a second thread for units that can be rendered in parallel.
public enum SecondCore: Sendable, Hashable {
  case never
  /// While measured to end the cycle earlier.
  case whereFaster
  /// Whenever there are branches to share.
  case always
}

/// A thread that renders branches of schedules in parallel with the render thread, while measured
/// to end the cycle earlier. The output is bit-identical.
///
/// The thread starts when the first schedule with branches is compiled for it, and sleeps while
/// nothing is shared. It serves one render thread.
public final class RenderHelper: Sendable {
  private struct Life {
    var helperState: HelperState?
    var thread: pthread_t?
    var hasFailed = false
  }

  private let life = Mutex(Life())
  private let isAlwaysUsed: Bool
  private let prepare: @Sendable (pthread_t) -> Bool

  /// - Parameters:
  ///   - use: the initialiser returns nil for `never`.
  ///   - prepare: gives the thread the priority of the render thread. If it returns false, one
  ///     thread renders all branches.
  /// - Thread: [control]
  public init?(
    _ use: SecondCore = .whereFaster,
    prepare: @escaping @Sendable (pthread_t) -> Bool = { _ in true }
  ) {
    if use == .never { return nil }
    isAlwaysUsed = use == .always
    self.prepare = prepare
  }

  deinit {
    life.withLock { life in
      guard let helperState = life.helperState, let thread = life.thread else { return }
      Self.end(helperState, thread)
    }
  }

  /// The number of branches that the thread has rendered.
  /// - Thread: [any]
  public var helpedCount: Int { life.withLock { $0.helperState?.helpedCount ?? 0 } }

  /// Returns the state shared with the thread, starting it first if needed; nil if it is
  /// unavailable.
  /// - Thread: [control]
  func helperState() -> HelperState? {
    life.withLock { life in
      if let helperState = life.helperState { return helperState }
      if life.hasFailed { return nil }
      life.hasFailed = true
      // On a single core two threads would only wait for each other.
      guard isAlwaysUsed || coreCount() > 1 else { return nil }
      let helperState = HelperState(isAlwaysUsed: isAlwaysUsed)
      guard let thread = Self.begin(helperState) else {
        helperState.deallocate()
        return nil
      }
      guard prepare(thread) else {
        Self.end(helperState, thread)
        return nil
      }
      if !isAlwaysUsed { helperState.calibrate() }
      (life.helperState, life.thread, life.hasFailed) = (helperState, thread, false)
      return helperState
    }
  }

  private static func end(_ helperState: HelperState, _ thread: pthread_t) {
    helperState.end()
    pthread_join(thread, nil)
    helperState.deallocate()
  }

  private static func begin(_ helperState: HelperState) -> pthread_t? {
    let box = UnsafeMutablePointer<HelperState>.allocate(capacity: 1)
    box.initialize(to: helperState)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        let box = argument!.assumingMemoryBound(to: HelperState.self)
        let helperState = box.pointee
        box.deallocate()
        helperState.help()
        return nil
      }, box)
    if status != 0 {
      box.deallocate()
      return nil
    }
    // Named by its creator: it may run long after it is visible to others.
    nameThread(thread, "render-2")
    return thread
  }
}
