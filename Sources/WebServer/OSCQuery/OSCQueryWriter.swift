// Changes by clients of OSCQuery.

import NIOCore
import OSC

/// Requests of a client to the session, on a connection of its own: they are in the journal under
/// its name, and the notes that it holds end with it. Used on the event loop only.
final class OSCQueryWriter {
  /// The most requests under way.
  private static let mostOpen = 16
  /// The most requests that wait.
  private static let mostWaiting = 1024

  private struct Waiting {
    let address: String
    let isReplaced: Bool
    let request: JSONValue
  }

  private unowned let service: OSCQueryService
  private let name: String
  /// Receives the session's errors, with the address of the message.
  var refused: (RequestRefusal, _ address: String) -> Void = { _, _ in }
  private var link: ControlLink?
  private var waiting: CircularBuffer<Waiting> = []
  private var openCount = 0

  init(_ service: OSCQueryService, name: String) { (self.service, self.name) = (service, name) }

  /// Takes a message to an address.
  ///
  /// - Parameter node: the address's; nil if there is none.
  /// - Throws: `RequestRefusal`
  func take(_ message: OSCMessage, _ node: OSCQueryNode?) throws(RequestRefusal) {
    guard let node, node.isWritable else {
      throw RequestRefusal(
        message: node == nil ? "there is no such address" : "it cannot be set",
        accepted: "addresses with ACCESS 2 or 3")
    }
    guard let request = try OSCQueryRequest.read(message.arguments, node) else { return }
    // A later value replaces a waiting one, however fast a fader moves.
    let isReplaced = node.isReadable || node.target == .scene || node.target == .panic
    if isReplaced { waiting.removeAll { $0.isReplaced && $0.address == message.address } }
    guard waiting.count < Self.mostWaiting else {
      throw RequestRefusal(
        message: "too many messages wait", accepted: "\(Self.mostWaiting) of a client")
    }
    waiting.append(
      Waiting(address: message.address, isReplaced: isReplaced, request: .object(request)))
    send()
  }

  private func send() {
    while openCount < Self.mostOpen, let next = waiting.popFirst() {
      if link?.isOpen != true {
        (link, openCount) = (service.link(name, ended: {}), 0)
      }
      guard let link else { return refused(Self.noSession, next.address) }
      openCount += 1
      link.send(next.request.line) { [weak self, weak link] line in
        guard let self, let link, link === self.link else { return }
        openCount -= 1
        if let line, let error = JSONValue.read(line)?.object?["error"]?.object {
          refused(
            RequestRefusal(
              message: error["message"]?.text ?? "", accepted: error["accepted"]?.text),
            next.address)
        }
        if line != nil { send() }
      }
    }
  }

  private static let noSession = RequestRefusal(message: "no session runs")

  /// Ends the connection.
  func close() {
    waiting.removeAll()
    link?.close()
    link = nil
  }
}
