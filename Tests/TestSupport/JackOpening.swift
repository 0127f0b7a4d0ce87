// Opens JACK clients, one at a time and without libjack's chatter.
import CJack
import CTestSupport
import Glibc
import Synchronization

private let opening = Mutex(())

/// Opens a client of a running server; returns nil if none runs.
func openJackClient(_ name: String, server: String) -> OpaquePointer? {
  opening.withLock { _ in
    jack_set_info_function { _ in }
    jack_set_error_function(nil)
    return server.withCString { rigOpenClient(name, $0) }
  }
}

/// Whether a server's socket accepts connections.
///
/// Does not open a client. If one closes while another process opens its own, libjack may keep the
/// semaphore of the closed client. It then wakes that one instead of the next client with the same
/// number, which blocks for ever, and with it the server's graph.
func acceptsJackClients(server: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) {
    $0.copyBytes(from: "/dev/shm/jack_\(server)_\(getuid())_0".utf8.prefix($0.count - 1))
  }
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
}
