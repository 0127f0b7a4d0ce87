// Messages to the service manager that has started the program, such as systemd.

import Glibc
import Synchronization

/// The datagram socket on which a service manager waits for messages of a service, by the protocol
/// of `sd_notify(3)`.
package final class ServiceNotification: Sendable {
  /// The service manager of this process; nil if none waits for messages. The first use takes the
  /// variable out of the environment, so that child programs do not send messages too.
  ///
  /// - Thread: [any], at first [control], before any other thread
  package static let current: ServiceNotification? = {
    guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
    unsetenv(variable)
    return ServiceNotification(address: text)
  }()

  /// The environment variable with the socket's address.
  private static let variable = "NOTIFY_SOCKET"

  private let text: String
  private let address: sockaddr_un
  private let addressBytes: Int
  private let isStopping = Atomic(false)

  /// - Parameter text: the absolute path of the socket, or "@" and its name in the abstract
  ///   namespace.
  /// - Returns: nil for other texts, and for those longer than a socket's address.
  package init?(address text: String) {
    var path = Array(text.utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let isAbstract = path.first == UInt8(ascii: "@")
    // A path ends with a zero; an abstract name begins with one.
    guard isAbstract || path.first == UInt8(ascii: "/"), path.count > 1, path.count < room else {
      return nil
    }
    if isAbstract { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    (self.text, self.address) = (text, address)
    addressBytes = start + path.count + (isAbstract ? 0 : 1)
  }

  /// Reports that the service is ready, with a line about it.
  ///
  /// - Parameter status: a single line.
  /// - Returns: whether the message was sent. The call does not wait for a receiver.
  /// - Thread: [any]
  package func ready(status: String) -> Bool { send("READY=1\nSTATUS=\(status)") }

  /// Reports once that the service is ending.
  /// - Thread: [any]
  package func stopping() {
    if !isStopping.exchange(true, ordering: .relaxed) { _ = send("STOPPING=1") }
  }

  /// Returns the variable to the environment, for a program that is about to replace this one.
  /// - Thread: [control], while no other thread uses the environment
  package func putBack() { setenv(Self.variable, text, 1) }

  private func send(_ message: String) -> Bool {
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(message.utf8)
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0,
          socklen_t(addressBytes))
      }
    } == bytes.count
  }
}
