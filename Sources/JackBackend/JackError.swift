// Errors of JACK servers and clients.

import CJack

/// The reason why the client could not start or continue.
public enum JackError: Error, Sendable, Equatable, CustomStringConvertible {
  case noServer(name: String?)
  /// A server has as many clients as it takes, or ended while the client was opened.
  case serverRefused(name: String?)
  /// JACK was allowed to start a server, but none started.
  case serverNotStarted(name: String?)
  case serverGone
  case noCycle
  case openFailed(status: UInt32)
  case portRefused(String)
  case portMissing(String, kind: String, available: [String])
  case activationFailed
  case connectionFailed(from: String, to: String)
  case dummyServerFailed(String)

  public var description: String {
    switch self {
    case .noServer(nil) where PipeWire.isHere:
      """
      no JACK server runs, but PipeWire does: start Auricle with PipeWire's JACK library, pw-jack auricle … (Debian's \
      package pipewire-jack)
      """
    case .noServer(let name):
      """
      no JACK server\(name.map { " '\($0)'" } ?? "") runs. Start one (for example \
      'jackd\(name.map { " -n \($0)" } ?? "") -d alsa', QjackCtl, or PipeWire with pipewire-jack), or let the \
      command start one: --start-server default (the server of ~/.jackdrc) or --start-server dummy (without sound \
      card)
      """
    case .serverRefused(let name):
      """
      the JACK server\(name.map { " '\($0)'" } ?? "") refused the client: it went away meanwhile, or has as many \
      clients as it takes (jackd: 254)
      """
    case .serverNotStarted(let name):
      """
      JACK could not start a server\(name.map { " '\($0)'" } ?? ""): run the command in ~/.jackdrc by hand to see why, \
      or give --start-server dummy (without sound card)
      """
    case .serverGone:
      "the JACK server went away meanwhile; start it again, and then Auricle"
    case .noCycle:
      "the JACK server ran no cycle for 10 seconds; look at its messages, or restart it"
    case .openFailed(let status):
      """
      the JACK server refused the client (status 0x\(String(status, radix: 16))); it may have too many clients, \
      or be of another version than libjack
      """
    case .portRefused(let name):
      "the JACK server refused the port '\(name)'; it may have run out of ports (jackd --port-max 4096)"
    case .portMissing(let name, let kind, let available):
      "there is no \(kind) port '\(name)'; there are: "
        + (available.isEmpty ? "none" : available.joined(separator: ", "))
    case .activationFailed:
      "the JACK server did not activate the client"
    case .connectionFailed(let from, let to):
      "'\(from)' could not be connected to '\(to)'"
    case .dummyServerFailed(let reason):
      "the private JACK server did not start: \(reason)"
    }
  }

  init(status: UInt32, server: String?, mayStartServer: Bool) {
    if status & JackServerFailed.rawValue != 0 {
      self = mayStartServer ? .serverNotStarted(name: server) : .noServer(name: server)
    } else if status & JackServerError.rawValue != 0 {
      self = .serverRefused(name: server)
    } else {
      self = .openFailed(status: status)
    }
  }
}
