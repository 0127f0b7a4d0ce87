// Opens JACK clients, one at a time and without libjack's chatter.
import CJack
import CTestSupport
import Synchronization

private let opening = Mutex(())

/// Opens a client of a server that must be running already. Returns nil if there is none.
func openJackClient(_ name: String, server: String, isQuiet: Bool = false) -> OpaquePointer? {
  opening.withLock { _ in
    jack_set_info_function { _ in }
    if isQuiet { jack_set_error_function { _ in } } else { jack_set_error_function(nil) }
    defer { jack_set_error_function(nil) }
    return server.withCString { rigOpenClient(name, $0) }
  }
}
