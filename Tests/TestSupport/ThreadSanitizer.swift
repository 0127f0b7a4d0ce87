// What tests must know of ThreadSanitizer.

import CTestSupport

public enum ThreadSanitizer {
  /// Whether it can follow threads that wait for a `Mutex`. Where Swift's has to wait it goes
  /// through code that was built without the sanitizer, which then reports a race on what the mutex
  /// guards: also for a mutex and a counter alone.
  public static var understandsWaiting: Bool { threadSanitizerIsLinked() == 0 }
}
