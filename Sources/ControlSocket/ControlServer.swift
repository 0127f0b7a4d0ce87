// The server for clients of a session, on its own thread.

import CLocalSocket
import Dispatch
import Glibc
import Platform
import Synchronization

/// Limits for clients of a session's socket.
public struct ControlLimits: Sendable {
  /// The most clients at a time; further ones receive a refusal.
  public var clients = 64
  /// The longest request in bytes, with its line end.
  public var lineBytes = 65_536

  public init() {}
}

/// A local socket that receives requests as lines and answers with lines. It accepts only processes
/// of the same user.
///
/// No client can make others wait: descriptors are nonblocking, each client has one request under
/// way, and unread output is bounded. The server passes requests to `handler`; the session may
/// answer at any later time.
public final class ControlServer: Sendable {
  /// Receives a request and the client to answer, on the socket's thread, which it must not block.
  public typealias Handler = @Sendable (_ line: [UInt8], ControlPeer) -> Void
  /// Makes a line of the reason why a client is refused.
  public typealias Refusal = @Sendable (_ reason: String) -> [UInt8]

  /// The name by which clients find it: the requested one, made unique among running sessions.
  public var name: String { listener.name }
  /// Path of the socket's file.
  public var path: String { listener.path }

  let listener: ControlListener
  let limits: ControlLimits
  let handler: Handler
  let refusal: Refusal
  let waker: Int32
  let isClosing = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isClosed = Mutex(false)

  /// Opens the socket and starts its thread.
  ///
  /// - Throws: `ControlError.folder`, `foreignFolder`, `socket`.
  /// - Thread: [control]
  public init(
    name: String, in folder: ControlFolder = ControlFolder(),
    limits: ControlLimits = ControlLimits(), refusal: @escaping Refusal,
    handler: @escaping Handler
  ) throws(ControlError) {
    listener = try ControlListener(name: name, in: folder)
    self.limits = limits
    self.handler = handler
    self.refusal = refusal
    waker = localSocketWaker()
    guard waker >= 0 else {
      listener.remove()
      throw .socket(path: listener.path, reason: ControlError.reason)
    }
    startThread("control socket") { [self] in
      serve()
      hasEnded.signal()
    }
  }

  deinit { Glibc.close(waker) }

  /// Disconnects all clients and removes the socket.
  /// - Thread: [control]
  public func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if !isFirst { return }
    listener.remove()
    isClosing.store(true, ordering: .releasing)
    localSocketWake(waker)
    hasEnded.wait()
  }
}
