// Writing a session's labels into JACK's metadata.

import CJack
import FoundationEssentials
import Glibc

/// A change of labels, as a line from a session to the process that writes its metadata.
struct LabelChange: Codable, Equatable {
  /// New and changed labels, by the ports' names without the client's.
  var labels: [String: PortLabel] = [:]
  /// The names of removed ports.
  var removed: [String] = []
}

/// Writes the labels of a session's ports into the server's metadata, as another client.
///
/// Writes and never deletes: jackd deletes the properties of a removed port and of a client itself,
/// and two programs that delete at once can block each other, and jackd, for ever (libdb 5.3).
///
/// Used by one thread, in a process that does nothing else: libdb may block it.
package final class MetadataScribe {
  private let client: JackClient
  /// The name of the session's client.
  private let session: String
  /// The last written values, by port and key.
  private var written: [String: [String: String]] = [:]

  /// - Throws: as `JackClient`.
  /// - Thread: [control]
  package init(session: String, server: String?) throws(JackError) {
    self.session = session
    let name = String(decoding: "metadata-\(session)".utf8.prefix(60), as: UTF8.self)
    client = try JackClient(name: name, server: server)
  }

  /// Writes the properties of the session's client.
  /// - Thread: [control]
  package func begin() {
    guard let text = jack_get_uuid_for_client_name(client.handle, session) else { return }
    defer { jack_free(text) }
    var subject = jack_uuid_t()
    guard jack_uuid_parse(text, &subject) == 0 else { return }
    for property in PortProperty.ofClient { write(property, subject, port: "") }
  }

  /// Reads changes from a descriptor and writes them, until the end of the stream. Writes one byte
  /// to another descriptor after each.
  /// - Thread: [control]
  package func follow(_ input: Int32, answering output: Int32) {
    var pending: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(input, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      pending += bytes[..<count]
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = pending[..<end]
        if let change = try? JSONDecoder().decode(LabelChange.self, from: Data(line)) {
          apply(change)
        }
        pending.removeSubrange(...end)
        var answer = UInt8(ascii: ".")
        guard Glibc.write(output, &answer, 1) == 1 else { return }
      }
    }
  }

  private func apply(_ change: LabelChange) {
    for name in change.removed { written[name] = nil }
    for (name, label) in change.labels.sorted(by: { $0.value.order < $1.value.order }) {
      guard let port = port(named: name) else { continue }
      let subject = jack_port_uuid(port)
      for property in PortProperty.all(of: label) { write(property, subject, port: name) }
    }
  }

  /// Returns a port of the session. PipeWire shows a new port to other clients a little later.
  private func port(named name: String) -> OpaquePointer? {
    for _ in 0..<10 {
      if let port = jack_port_by_name(client.handle, "\(session):\(name)") { return port }
      usleep(20_000)
    }
    return nil
  }

  /// Writes a property, unless another program has changed it meanwhile.
  ///
  /// The first value of a new port is always written: jackd gives the number of a removed port to
  /// a new one, and a killed server leaves the properties of its ports.
  private func write(_ property: PortProperty, _ subject: jack_uuid_t, port: String) {
    let last = written[port]?[property.key]
    if last == property.value { return }
    if let last, let value = value(of: property.key, subject), value != last { return }
    guard
      jack_set_property(client.handle, subject, property.key, property.value, property.type) == 0
    else { return }
    written[port, default: [:]][property.key] = property.value
  }

  private func value(of key: String, _ subject: jack_uuid_t) -> String? {
    var (value, type): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?) = (nil, nil)
    guard jack_get_property(subject, key, &value, &type) == 0 else { return nil }
    defer {
      jack_free(value)
      jack_free(type)
    }
    return value.map { String(cString: $0) }
  }
}
