// Threads with a name and a stack size.

import CRealtime
import Glibc

/// Runs a function on a thread of its own.
///
/// Waits up to a second where the system has no room for another thread; after that the process
/// ends with a message.
/// - Parameters:
///   - name: for `top -H`; at most 15 bytes.
///   - stackBytes: nil for the system's default, usually 8 MiB.
/// - Thread: [control]
public func startThread(
  _ name: StaticString, stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
  let start = Unmanaged.passRetained(ThreadStart(name, body)).toOpaque()
  var thread: pthread_t = 0
  for _ in 0..<100 {
    let result = pthread_create(
      &thread, &attributes,
      { start in
        if let start { Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().run() }
        return nil
      }, start)
    if result == 0 { return }
    usleep(10_000)
  }
  fatalError("the system has no room for the thread '\(name)'")
}

/// The arguments of a thread.
private final class ThreadStart: Sendable {
  private let name: StaticString
  private let body: @Sendable () -> Void

  init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
    (self.name, self.body) = (name, body)
  }

  func run() {
    // By the thread itself: the name of a thread that has ended cannot be set.
    name.withUTF8Buffer {
      $0.baseAddress?.withMemoryRebound(to: CChar.self, capacity: $0.count + 1) {
        nameThread(pthread_self(), $0)
      }
    }
    body()
  }
}
