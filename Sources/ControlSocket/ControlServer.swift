// Serves the clients of a session on a thread of its own.

import CLocalSocket
import Dispatch
import Foundation
import Synchronization

/// What clients may ask of a session's socket.
public struct ControlLimits: Sendable {
  /// Those at a time; one more is told so.
  public var clients = 64
  /// Of one request, with its end.
  public var lineBytes = 65_536

  public init() {}
}

/// A local socket that takes requests in lines and answers in lines. Only processes of its own user
/// are taken in.
///
/// Nothing that clients do or leave undone makes anybody else wait: descriptors do not block, each
/// client has one request under way, and what it does not read is bounded. The session is asked by
/// `handler`, and answers whenever it can.
public final class ControlServer: Sendable {
  /// Told a request and who is to be answered; on the thread of the socket, which it must not hold
  /// up.
  public typealias Handler = @Sendable (_ line: [UInt8], ControlPeer) -> Void
  /// Makes a line of what is wrong with what a client does.
  public typealias Refusal = @Sendable (_ reason: String) -> [UInt8]

  /// The name by which clients find it: the one that was asked for, made unique among the sessions
  /// that run.
  public var name: String { listener.name }
  /// The socket's file.
  public var path: String { listener.path }

  let listener: ControlListener
  let limits: ControlLimits
  let handler: Handler
  let refusal: Refusal
  let waker: Int32
  let isClosing = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isClosed = Mutex(false)

  /// Listens.
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
    let thread = Thread { [self] in
      serve()
      hasEnded.signal()
    }
    thread.name = "control socket"
    thread.start()
  }

  deinit { Glibc.close(waker) }

  /// Lets go of all clients and removes the socket.
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
