// WebSockets of OSCQuery.

import NIOCore
import OSC

/// A client that listens to values, and may set them. Of the values that wait for it the last of
/// each address is kept, so a client that reads nothing costs at most these. Used on the event loop
/// only.
final class OSCQuerySocket: SocketService {
  /// The time without the own changes of a client: no fader jumps under the finger.
  private static let ownSilence = TimeAmount.milliseconds(250)
  /// The shortest time between two values of an address.
  private static let interval = TimeAmount.milliseconds(10)
  /// The most messages about the tree that wait. One about all of it is in place of more.
  private static let mostMessages = 256
  /// The most addresses that are listened to, removed ones included.
  private static let mostAddresses = 16_384

  private unowned let service: OSCQueryService
  private let output: SocketOutput
  private let writer: OSCQueryWriter?
  private var listened: Set<String> = []
  private var values: [String: OSCArgument] = [:]
  private var order: [String] = []
  private var messages: [(command: String, path: String)] = []
  private var error: OSCMessage?
  /// Values that the client has set itself, and the ends of the times without feedback.
  private var own: [String: (value: OSCArgument, until: NIODeadline)] = [:]
  private var isPlanned = false
  private var isClosed = false

  init(_ service: OSCQueryService, _ output: SocketOutput, number: Int, mayWrite: Bool) {
    (self.service, self.output) = (service, output)
    writer = mayWrite ? OSCQueryWriter(service, name: "oscquery \(number)") : nil
    writer?.refused = { [weak self] in self?.refuse($0, $1) }
  }

  // MARK: Input

  var takesBinary: Bool { true }

  func take(_ message: [UInt8], isBinary: Bool) -> Bool {
    isBinary ? takePacket(message) : takeCommand(message)
  }

  private func takeCommand(_ text: [UInt8]) -> Bool {
    guard let message = JSONValue.read(text)?.object, let command = message["COMMAND"]?.text else {
      return false
    }
    let address = message["DATA"]?.text
    switch command {
    case "LISTEN":
      // Clients may know addresses that are gone.
      guard let address, let node = service.tree.nodes[address], node.isReadable,
        listened.count < Self.mostAddresses
      else { break }
      listened.insert(address)
      post(node.target)
    case "IGNORE": if let address { listened.remove(address) }
    // Clients also send what they know of their own trees.
    default: break
    }
    return true
  }

  private func takePacket(_ bytes: [UInt8]) -> Bool {
    guard let packet = try? OSCPacket(decoding: bytes) else { return false }
    for item in packet.items {
      let message = item.message
      guard let writer else {
        refuse(
          RequestRefusal(message: "clients only read", accepted: "messages after --oscquery-write"),
          message.address)
        continue
      }
      do throws(RequestRefusal) {
        let node = service.tree.nodes[message.address]
        try writer.take(message, node)
        if listened.contains(message.address), let value = message.arguments.first {
          own[message.address] = (value, .now() + Self.ownSilence)
        }
      } catch { refuse(error, message.address) }
    }
    return true
  }

  /// Answers a refused message, as the session's OSC does. Of several that wait the last is sent.
  private func refuse(_ refusal: RequestRefusal, _ address: String) {
    let text = refusal.message + (refusal.accepted.map { "; accepted: \($0)" } ?? "")
    error = OSCMessage("/auricle/error", [.string(address), .string(text)])
    plan()
  }

  // MARK: Output

  /// Sends a value soon, if the client listens to it.
  func post(_ target: OSCQueryNode.Target) {
    guard let address = target.address, listened.contains(address),
      let value = service.session.picture.value(of: target)
    else { return }
    if values.updateValue(value, forKey: address) == nil { order.append(address) }
    plan()
  }

  /// Sends messages about the tree soon, and the values that have returned.
  func post(_ new: [(command: String, path: String)], since old: OSCQueryTree) {
    messages += new
    if messages.count > Self.mostMessages { messages = [("PATH_CHANGED", "/")] }
    if !messages.isEmpty { plan() }
    for address in listened where old.nodes[address] == nil {
      if let node = service.tree.nodes[address] { post(node.target) }
    }
  }

  private func plan() {
    if isPlanned || isClosed { return }
    isPlanned = true
    output.loop.assumeIsolated().scheduleTask(in: Self.interval) { [weak self] in
      self?.isPlanned = false
      self?.flush()
    }
  }

  func resume() { if !order.isEmpty || !messages.isEmpty || error != nil { plan() } }

  private func flush() {
    if isClosed { return }
    while output.isWritable(), let (command, path) = messages.first {
      messages.removeFirst()
      let text = JSONValue.object(["COMMAND": .text(command), "DATA": .text(path)])
      output.send(text.line, false)
    }
    if let error, output.isWritable() {
      self.error = nil
      output.send(error.bytes, true)
    }
    var kept: [String] = []
    for address in order {
      guard output.isWritable(), !isSilent(address) else {
        kept.append(address)
        continue
      }
      guard let value = values.removeValue(forKey: address) else { continue }
      let known = own.removeValue(forKey: address)?.value
      if known != value { output.send(OSCMessage(address, [value]).bytes, true) }
    }
    order = kept
    // Silent ones are looked at again; the others once the client has read.
    if !order.isEmpty && output.isWritable() { plan() }
  }

  private func isSilent(_ address: String) -> Bool {
    own[address].map { NIODeadline.now() < $0.until } ?? false
  }

  func close() {
    isClosed = true
    writer?.close()
    service.sockets[ObjectIdentifier(self)] = nil
  }
}

extension OSCQueryNode.Target {
  /// The address of a value.
  fileprivate var address: String? {
    switch self {
    case .parameter(let path): "/" + path
    case .bypass(let id): "/auricle/bypass/\(id)"
    case .preset(let id): "/auricle/preset/\(id)"
    case .container, .note, .scene, .panic, .steps: nil
    }
  }
}
