// The side of a service manager that waits for messages of its services.
import Glibc

/// A datagram socket, as NOTIFY_SOCKET names one.
///
/// - Thread: [any]
public final class NotifySocket: Sendable {
  /// The path of the socket, or "@" and a name in the abstract namespace.
  public let address: String
  private let descriptor: Int32

  /// - Throws: `RigError` if there can be no such socket.
  public init(_ address: String) throws {
    self.address = address
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    // Bytes after an abstract name would be a part of it.
    let size = 2 + bytes.count
    let status = withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(size))
      }
    }
    guard status == 0 else { throw RigError.cannotBind(address: address, errno: errno) }
  }

  deinit { close(descriptor) }

  /// Takes the next message that has arrived; nil if there is none.
  public func take() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
