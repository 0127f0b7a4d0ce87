// Clients of a session's socket.

import CLocalSocket
import Glibc

/// A connection to a running session, for one thread at a time.
public final class ControlClient {
  /// The session's name.
  public let session: String
  private let descriptor: Int32
  private var input: [UInt8] = []

  /// The time limit for an answer, in seconds.
  public static let patienceSeconds = 60

  /// Connects to a session.
  ///
  /// - Parameter name: the session's; nil for the only running one.
  /// - Throws: `ControlError`
  /// - Thread: [control]
  public init(session name: String? = nil, in folder: ControlFolder = ControlFolder())
    throws(ControlError)
  {
    let known = try folder.sessions()
    if let name, !known.contains(name) { throw .unknownSession(name, known: known) }
    guard let chosen = name ?? known.first else { throw .noSession(folder: folder.path) }
    guard name != nil || known.count == 1 else { throw .severalSessions(known) }
    session = chosen
    guard let open = try folder.open(isMade: false) else { throw .noSession(folder: folder.path) }
    guard let socket = open.connect(to: chosen, isNonblocking: false) else {
      throw .ended(session: chosen)
    }
    descriptor = socket
    guard localSocketPeerUser(socket) == Int64(geteuid()) else {
      throw .foreignSession(chosen)
    }
  }

  deinit { close(descriptor) }

  /// Sends a request, a line without its end.
  /// - Throws: `ended`
  /// - Thread: [control]
  public func send(_ line: [UInt8]) throws(ControlError) {
    var rest = (line + [10])[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .ended(session: session) }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the next line, without its end.
  ///
  /// - Parameter isPatient: whether to wait without a time limit.
  /// - Throws: `ended`, `noAnswer`
  /// - Thread: [control]
  public func nextLine(isPatient: Bool = false) throws(ControlError) -> [UInt8] {
    var searched = 0
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      if let end = input[searched...].firstIndex(of: 10) {
        let line = Array(input[..<end])
        input.removeFirst(end + 1)
        return line
      }
      searched = input.count
      var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let state = poll(&readiness, 1, isPatient ? -1 : Int32(Self.patienceSeconds * 1000))
      if state == 0 { throw .noAnswer(session: session, seconds: Self.patienceSeconds) }
      if state < 0 { continue }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .ended(session: session) }
      input += buffer[..<count]
    }
  }
}
