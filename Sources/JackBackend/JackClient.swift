// A client of a JACK server.

import CJack
import Glibc
import Synchronization

/// An open JACK client. Closed when released.
public final class JackClient: @unchecked Sendable {
  /// The most bytes of a client's name that this JACK library supports.
  ///
  /// - Thread: [any]
  public static var maximumNameBytes: Int { Int(jack_client_name_size()) - 1 }

  let handle: OpaquePointer
  /// The name assigned by the server, possibly changed to be unique.
  public let name: String
  /// The requested name.
  public let requestedName: String
  /// The requested server name; nil for the default.
  let server: String?
  private let isClosed = Mutex(false)

  /// Opens a client.
  /// - Parameters:
  ///   - name: the requested name; the server makes it unique if it is taken.
  ///   - server: the server's name, nil for the default (also of `JACK_DEFAULT_SERVER`).
  ///   - mayStartServer: whether JACK may start the server of `~/.jackdrc`.
  /// - Throws: `noServer`, `serverRefused`, `serverNotStarted`, `openFailed`.
  /// - Thread: [control]
  public init(
    name: String, server: String? = nil, mayStartServer: Bool = false
  ) throws(JackError) {
    JackMessages.install()
    StaleMetadata.remove()
    var options: UInt32 = 0
    if !mayStartServer { options |= JackNoStartServer.rawValue }
    var status = jack_status_t(rawValue: 0)
    if server != nil { options |= JackServerName.rawValue }
    let opened = SlowAnswer.report(of: server) {
      auricleClientOpen(name, jack_options_t(rawValue: options), &status, server)
    }
    guard let opened else {
      throw JackError(status: status.rawValue, server: server, mayStartServer: mayStartServer)
    }
    handle = opened
    self.server = server
    requestedName = name
    self.name = String(cString: jack_get_client_name(opened))
  }

  deinit { close() }

  /// Closes the client, which must no longer render.
  /// - Thread: [control]
  public func close() {
    isClosed.withLock { isClosed in
      if !isClosed { jack_client_close(handle) }
      isClosed = true
    }
  }

  /// Whether the server still knows the client. libjack does not report the end of a server that
  /// had not yet called the client back (jackd 1.9.21).
  var isServerThere: Bool {
    guard let uuid = jack_get_uuid_for_client_name(handle, name) else { return false }
    jack_free(uuid)
    return true
  }

  /// The sample rate in hertz.
  public var sampleRate: Int { Int(jack_get_sample_rate(handle)) }

  /// The period in frames.
  public var period: Int { Int(jack_get_buffer_size(handle)) }

  /// Whether the server runs its clients with realtime priority.
  public var isRealtime: Bool { jack_is_realtime(handle) != 0 }

  /// Gives a thread of this process the priority of JACK's render threads.
  /// - Returns: whether it has that priority now.
  /// - Thread: [control]
  func makeRealtime(_ thread: pthread_t) -> Bool {
    let priority = jack_client_real_time_priority(handle)
    return priority < 0 || jack_acquire_real_time_scheduling(thread, priority) == 0
  }

  /// The size of a MIDI port's buffer in bytes.
  var midiBufferSize: Int { jack_port_type_get_buffer_size(handle, JACK_DEFAULT_MIDI_TYPE) }

  /// Returns the names of all ports of the server with these flags and this type, in the server's
  /// order.
  /// - Thread: [control]
  public func portNames(type: String, flags: JackPortFlags) -> [String] {
    guard let names = jack_get_ports(handle, nil, type, UInt(flags.rawValue)) else { return [] }
    defer { jack_free(names) }
    var result: [String] = []
    var index = 0
    while let name = names[index] {
      result.append(String(cString: name))
      index += 1
    }
    return result
  }

  /// Whether the server has a port of this full name.
  /// - Thread: [control]
  public func hasPort(_ name: String) -> Bool { jack_port_by_name(handle, name) != nil }

  /// Returns the full names of the ports connected to a port; empty if there is no such port.
  /// - Thread: [control], not in a callback of JACK.
  public func connections(of name: String) -> [String] {
    guard let port = jack_port_by_name(handle, name),
      let names = jack_port_get_all_connections(handle, port)
    else { return [] }
    defer { jack_free(names) }
    var result: [String] = []
    var index = 0
    while let other = names[index] {
      result.append(String(cString: other))
      index += 1
    }
    return result
  }

  /// Connects two ports by their full names, unless they are connected.
  /// - Thread: [control]
  public func connect(_ source: String, to destination: String) throws(JackError) {
    let status = jack_connect(handle, source, destination)
    guard status == 0 || status == EEXIST else {
      throw .connectionFailed(from: source, to: destination)
    }
  }
}
