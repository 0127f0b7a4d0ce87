// Why nobody can be listened to.

/// What is wrong with the place to listen at.
public enum OSCError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another program has the port.
  case taken(place: String, transport: String)
  /// The address is not one of this machine.
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
