// FluidSynth on the control side: one thread at a time, with its messages caught.

import CFluidSynth
import Glibc
import Synchronization

/// The library's global state: the lock of all control-side calls, and its log.
///
/// Rendering does not take the lock.
package enum FluidSynthLibrary {
  private static let log = FluidSynthLog()
  private static let lock = Mutex<Void>(())

  /// Calls the library, and returns the result with the library's warnings and errors.
  package static func use<Result>(_ body: () -> sending Result) -> (
    result: Result, messages: [String]
  ) {
    lock.withLock { _ in
      log.startCatching()
      let result = body()
      return (result, log.stopCatching())
    }
  }

  /// The number of warnings and errors from threads that render; there must be none.
  package static var strayFaultCount: Int { log.faultCount.load(ordering: .relaxed) }

  /// The first of these messages.
  package static var firstStrayFault: String {
    log.isFaultKept.load(ordering: .acquiring) ? String(cString: log.firstFault) : ""
  }
}

/// Receives FluidSynth's log messages.
private final class FluidSynthLog: Sendable {
  private let catchingThread = Atomic<UInt>(0)
  private let messages = Mutex<[String]>([])
  let faultCount = Atomic<Int>(0)
  let isFaultKept = Atomic<Bool>(false)
  nonisolated(unsafe) let firstFault: UnsafeMutablePointer<CChar>
  private static let faultCapacity = 200

  init() {
    firstFault = .allocate(capacity: Self.faultCapacity)
    firstFault.initialize(repeating: 0, count: Self.faultCapacity)
    let data = Unmanaged.passRetained(self).toOpaque()
    for level in [FLUID_PANIC, FLUID_ERR, FLUID_WARN] {
      _ = fluid_set_log_function(Int32(level.rawValue), takeFluidSynthMessage, data)
    }
    for level in [FLUID_INFO, FLUID_DBG] {
      _ = fluid_set_log_function(Int32(level.rawValue), nil, nil)
    }
  }

  func startCatching() { catchingThread.store(UInt(pthread_self()), ordering: .relaxed) }

  func stopCatching() -> [String] {
    catchingThread.store(0, ordering: .relaxed)
    return messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  /// Takes in a message, on any thread. On a thread that renders it counts it, and keeps the first.
  func take(_ message: UnsafePointer<CChar>) {
    guard catchingThread.load(ordering: .relaxed) == UInt(pthread_self()) else {
      // A program that the font does not have is no fault: the player chose it.
      if begins(message, with: "Instrument not found") || begins(message, with: "No preset found")
        || begins(message, with: "There is no preset")
      {
        return
      }
      if faultCount.wrappingAdd(1, ordering: .relaxed).oldValue == 0 { keep(message) }
      return
    }
    catchMessage(message)
  }

  /// Keeps a message. Called on the thread that catches messages, never on a render thread.
  @inline(never)
  private func catchMessage(_ message: UnsafePointer<CChar>) {
    messages.withLock { if $0.count < 100 { $0.append(String(cString: message)) } }
  }

  private func keep(_ message: UnsafePointer<CChar>) {
    var index = 0
    while index < Self.faultCapacity - 1 && message[index] != 0 {
      firstFault[index] = message[index]
      index += 1
    }
    isFaultKept.store(true, ordering: .releasing)
  }
}

private func begins(_ message: UnsafePointer<CChar>, with text: StaticString) -> Bool {
  var index = 0
  while index < text.utf8CodeUnitCount {
    if UInt8(bitPattern: message[index]) != text.utf8Start[index] { return false }
    index += 1
  }
  return true
}

private func takeFluidSynthMessage(
  _ level: Int32, _ message: UnsafePointer<CChar>?, _ data: UnsafeMutableRawPointer?
) {
  guard let message, let data else { return }
  Unmanaged<FluidSynthLog>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.take(message) }
}
