// The OSC server of a running session.

public import Configuration
import Glibc
import OSC
import Session
import SessionModel
import Synchronization

/// Receives requests from the network for the running session, and sends changes to subscribers.
///
/// Whatever arrives, and however fast, the memory for it is limited. Messages that cannot be used
/// are counted.
public final class SessionOSC: Sendable {
  struct State {
    var inbox = OSCInbox()
    var subscribers = OSCSubscribers()
    var counts = OSCCounts()
    var reported: Set<OSCCounts.Count> = []
    var answers = OSCAnswers()
    var notes = OSCNotes()
    var errors = OSCBudget(atOnce: 32, perSecond: 16)
    /// The limit on explanations of unknown names, which take the session's time.
    var explanations = OSCBudget(atOnce: 32, perSecond: 32)
    var pace = OSCPace()
    /// Future frames assigned to requests.
    var frames: [Int64] = []
    /// The number of slow requests under way, such as presets and entries.
    var slowTasks = 0
    var isAnnounced = false
    var isSending = false
    var isClosed = false
  }

  /// The maximum size of a message in bytes: waiting messages must be limited, and none needs more.
  static let maximumMessageBytes = 4096
  /// The maximum time of a message in the future, in microseconds.
  static let maximumAhead: Int64 = 3_600_000_000

  let state = Mutex(State())
  /// Signals that there are requests to take.
  package let news: SessionDoor<Void>? = SessionDoor()
  private let server = Mutex<OSCServer?>(nil)
  /// The endpoints that it listens at, as URLs such as `osc.udp://127.0.0.1:9000/`.
  public let places: [String]
  /// Whether other machines can reach it.
  public let isOpen: Bool

  /// Starts to listen.
  ///
  /// - Parameter units: the ids of the session's units.
  /// - Throws: `configuration` if a unit has the id `auricle` or the address is not numeric;
  ///   `failed`, with the position of the port, if it cannot listen.
  /// - Thread: [control]
  public init(_ configuration: OSCConfiguration, units: [String]) throws(SessionError) {
    func problem(_ message: String, _ accepted: String, at location: SourcePosition) -> SessionError
    {
      .configuration(
        ConfigurationError(ConfigurationProblem(message, accepted: accepted, at: location)))
    }
    guard !units.contains(OSCRequest.ownName) else {
      throw problem(
        "a unit has the id '\(OSCRequest.ownName)', by which OSC calls the session itself",
        "another id, or no OSC", at: configuration.port.location)
    }
    let address = configuration.address
    guard let place = OSCEndpoint(address: address.value, port: configuration.port.value) else {
      throw problem(
        "\(quoted(address.value)) is no numeric address", "such as 127.0.0.1", at: address.location)
    }
    let transports: Set<OSCServer.Transport> =
      switch configuration.transport {
      case .udp: [.udp]
      case .tcp: [.tcp]
      case .both: [.udp, .tcp]
      }
    let link = OSCLink()
    let server: OSCServer
    do throws(OSCError) {
      server = try OSCServer(
        at: place, over: transports,
        handler: OSCServer.Handler(
          packet: { packet, peer in link.session?.take(packet, of: peer) },
          fault: { fault, peer in
            link.session?.count(.malformed, "from \(peer): \(fault)")
          },
          end: { peer in link.session?.forget(peer) }))
    } catch {
      throw .failed("\(configuration.port.location): \(error)")
    }
    places = transports.map(\.rawValue).sorted().reversed().map { "osc.\($0)://\(server.place)/" }
    isOpen = !server.place.isLoopback
    self.server.withLock { $0 = server }
    link.session = self
  }

  deinit { close() }

  /// Stops listening, and ends all subscriptions.
  /// - Thread: [control]
  public func close() {
    server.withLock { $0.take() }?.close()
    let ends = state.withLock { state in
      state.isClosed = true
      defer { state.subscribers = OSCSubscribers() }
      return state.subscribers.ends
    }
    for end in ends { end() }
  }

  // MARK: Input

  func take(_ packet: OSCPacket, of peer: OSCPeer) {
    let now = Self.unixMicroseconds
    for item in packet.items { take(item, of: peer, now) }
    announce()
  }

  private func take(_ item: OSCPacket.Item, of peer: OSCPeer, _ now: Int64) {
    let message = item.message
    do throws(SessionCommandError) {
      guard message.weight <= Self.maximumMessageBytes else {
        throw SessionCommandError(
          "a message of \(message.weight) bytes", accepted: "up to \(Self.maximumMessageBytes)")
      }
      let request = try OSCRequest(message)
      if request == .nothing { return }
      let ahead = item.time.isImmediate ? 0 : item.time.unixMicroseconds - now
      guard ahead <= Self.maximumAhead else {
        throw SessionCommandError("a time that is more than an hour ahead")
      }
      let isLate = !item.time.isImmediate && ahead <= 0
      if isLate { count(.late, "\(message.address) from \(peer)") }
      let task = OSCTask(
        request: request, peer: peer, address: message.address,
        time: ahead > 0 ? item.time : .immediate, subject: request.subject(of: peer, message))
      guard let fate = state.withLock({ $0.add(task) }) else {
        throw SessionCommandError(
          "too many notes are held",
          accepted: "\(HeldKeys<OSCTimeTag>.maximumPresses) by a connection")
      }
      if fate == .replaced { count(.replaced) }
      if fate == .full {
        count(.full, "\(message.address) from \(peer)")
        explain(ahead > 0 ? Self.timedAreFull : Self.tasksAreFull, to: peer, message.address)
      }
    } catch {
      refuse(error, of: peer, message.address)
    }
  }

  private func forget(_ peer: OSCPeer) {
    let ends = state.withLock { state in
      state.inbox.forget(peer)
      let (notes, time) = state.notes.remove(peer)
      let isAhead = Self.unixMicroseconds < time.unixMicroseconds
      state.inbox.release(notes, of: peer, at: isAhead ? time : .immediate)
      return state.subscribers.remove(peer)
    }
    for end in ends { end() }
    announce()
  }

  /// Makes the session check for requests, unless a check is pending.
  func announce() {
    state.withLock { state in
      guard !state.isAnnounced, !state.pace.isWaiting, !state.isClosed else { return }
      state.isAnnounced = true
      news?.post(())
    }
  }

  // MARK: Output

  func send(_ message: OSCMessage, to peer: OSCPeer) {
    if state.withLock({ $0.answers.spend(for: peer) }) {
      transmit(message, to: peer)
    } else {
      count(.unanswered, "to \(peer)")
    }
  }

  /// Sends a message for which `answers` has room.
  func transmit(_ message: OSCMessage, to peer: OSCPeer) {
    let server = server.withLock { $0 }
    if server?.send(message, to: peer) != true { count(.unanswered, "to \(peer)") }
  }

  /// Counts a refused message, and answers with the reason if the rate limit permits.
  func refuse(_ error: SessionCommandError, of peer: OSCPeer, _ address: String) {
    let text = printable(error.description, 500)
    count(.refused, "from \(peer): \(printable(address, 100)): \(text)")
    explain(text, to: peer, address)
  }

  private static let tasksAreFull = SessionCommandError(
    "too many messages wait", accepted: "\(OSCInbox.maximumTasks) of all hosts"
  ).description
  private static let timedAreFull = SessionCommandError(
    "too many messages wait for their time",
    accepted: "\(OSCInbox.maximumTimedOfHost) of one host, \(OSCInbox.maximumTimed) of all"
  ).description

  /// Answers a refused message if the rate limit permits.
  private func explain(_ text: String, to peer: OSCPeer, _ address: String) {
    if state.withLock({ $0.errors.spend() }) {
      send(OSCMessage("/auricle/error", [.string(address), .string(text)]), to: peer)
    }
  }

  func count(_ count: OSCCounts.Count, _ what: @autoclosure () -> String = "") {
    state.withLock { _ = $0.counts.add(count, what()) }
  }

  static var unixMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }
}

/// A reference from the server, which exists first, to its session.
private final class OSCLink: Sendable {
  private struct Weak: Sendable { weak var session: SessionOSC? }
  private let link = Mutex(Weak())

  var session: SessionOSC? {
    get { link.withLock { $0.session } }
    set { link.withLock { $0.session = newValue } }
  }
}

extension OSCMessage {
  /// The approximate memory that it takes, in bytes.
  fileprivate var weight: Int {
    arguments.reduce(address.utf8.count) { sum, argument in
      if case .string(let text) = argument { return sum + text.utf8.count }
      return sum + 8
    }
  }
}

extension SessionOSC.State {
  /// Adds a request. Returns nil if its connection holds too many notes to begin one more.
  mutating func add(_ task: OSCTask) -> OSCInbox.Fate? {
    guard case .note(let note) = task.request else { return place(task) }
    guard notes.mayTake(note, of: task.peer) else { return nil }
    let fate = place(task)
    // Without room for the end of a note, the note ends with its connection.
    if fate != .full { notes.take(note, of: task.peer, at: task.time) }
    return fate
  }

  private mutating func place(_ task: OSCTask) -> OSCInbox.Fate {
    task.time.isImmediate ? inbox.add(task) : inbox.addTimed(task)
  }
}
