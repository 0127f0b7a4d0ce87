// Limits of ThreadSanitizer, for tests.

import CTestSupport

public enum ThreadSanitizer {
  /// Whether threads may wait for a `Mutex`. Swift's waits in code built without the sanitizer. The
  /// sanitizer then reports a race on the guarded memory, even for a mutex and a single counter.
  public static var understandsWaiting: Bool { threadSanitizerIsLinked() == 0 }
}
