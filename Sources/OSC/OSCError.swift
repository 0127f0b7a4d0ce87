// Errors of opening an OSC server.

/// An address at which a server cannot listen.
public enum OSCError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The port is in use by another program.
  case taken(place: String, transport: String)
  /// The address does not belong to this machine.
  case notHere(place: String)
  case refused(place: String, transport: String, reason: String)

  public var description: String {
    switch self {
    case .taken(let place, let transport):
      "another program listens at \(place) over \(transport); choose another port, or end that program"
    case .notHere(let place):
      "\(place) is no address of this machine; 'ip address' lists those that are"
    case .refused(let place, let transport, let reason):
      "cannot listen at \(place) over \(transport): \(reason)"
    }
  }
}
