// The messages of a page, and the sessions behind them.

import ControlSocket
import FoundationEssentials
import NIOCore

/// The connections of a page to sessions. Used on the event loop only.
final class Bridge: SocketService {
  /// The connections to a session: a slow answer delays neither news nor other requests.
  private enum Use: CaseIterable {
    case requests, watch
    /// A watch of spectra alone, which changes with each look.
    case spectra
    /// Commands that wait for a controller or read long files.
    case slow

    init(_ request: [String: JSONValue]) {
      self =
        switch request["command"]?.text {
        case "watch" where request["spectra"] != nil: .spectra
        case "watch": .watch
        case "learn", "view", "waveform": .slow
        default: .requests
        }
    }
  }

  private let state: ServerState
  private let access: Access
  private let name: String
  private let loop: any EventLoop
  /// Sends a text to the page.
  private let send: ([UInt8]) -> Void
  private var links: [String: [Use: ControlLink]] = [:]
  private var ticks = TickQueue()
  private var isTickPlanned = false
  private var openRequests = 0
  /// The paths of the views that the page shows.
  private var views: Set<String> = []
  /// The number of these views, and of those that are asked for.
  private var viewCount = 0
  private var isClosed = false

  init(
    _ state: ServerState, _ access: Access, _ loop: any EventLoop, send: @escaping ([UInt8]) -> Void
  ) {
    (self.state, self.access, self.loop, self.send) = (state, access, loop, send)
    state.browserNumber += 1
    name = (access == .guest ? "guest " : "browser ") + "\(state.browserNumber)"
    state.sessions.look()
  }

  var takesBinary: Bool { false }

  func take(_ text: [UInt8], isBinary: Bool) -> Bool {
    guard let message = JSONValue.read(text)?.object else { return false }
    if let tick = message["acknowledge"]?.integer, message.count == 1 {
      guard ticks.acknowledge(tick) else { return false }
      sendTick()
      return true
    }
    guard let id = message["id"]?.integer, id >= 0 else { return false }
    do throws(RequestRefusal) {
      guard openRequests < state.limits.requests else {
        throw RequestRefusal(message: "\(state.limits.requests) requests wait for their answers")
      }
      if message["sessions"] != nil {
        state.sessions.lookIfChanged()
        answer(id, answer: sessionList())
      } else if let path = message["closeView"]?.text {
        close(view: path)
        answer(id, answer: .object([:]))
      } else {
        try pass(message, id)
      }
    } catch { answer(id, error: error) }
    return true
  }

  private func sessionList() -> JSONValue {
    .object([
      "sessions": .list(state.sessions.names.map { .text($0) }),
      "isGuest": .bool(access == .guest),
    ])
  }

  private func pass(_ message: [String: JSONValue], _ id: Int64) throws(RequestRefusal) {
    guard let session = message["session"]?.text, let request = message["request"]?.object else {
      throw RequestRefusal(
        message: "a message without a request",
        accepted: "'session' and 'request', or 'sessions', or 'acknowledge'")
    }
    try RequestPolicy.check(request, access)
    let isView = request["command"]?.text == "view"
    let most = state.limits.viewsPerBrowser
    guard !isView || viewCount < most else {
      throw RequestRefusal(message: "\(most) views of units are open; close one")
    }
    let link = try link(session, for: Use(request))
    openRequests += 1
    if isView { viewCount += 1 }
    link.send(JSONValue.object(request).line) { [weak self] line in
      guard let self else { return }
      openRequests -= 1
      let shown = isView ? show(line) : line
      guard let shown else {
        return answer(id, error: RequestRefusal(message: "the session '\(session)' has ended"))
      }
      send(Array("{\"id\":\(id),".utf8) + shown.dropFirst())
    }
  }

  /// Keeps the files of a view, and returns the answer with their path in their place.
  private func show(_ line: [UInt8]?) -> [UInt8]? {
    guard !isClosed, let line, case .object(var message)? = JSONValue.read(line),
      case .object(var view)? = message["answer"]?.object?["view"],
      let files = view.removeValue(forKey: "files")?.object
    else {
      viewCount -= 1
      return line
    }
    let path = state.views.open(
      files.compactMapValues { value in
        value.text.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
      })
    views.insert(path)
    view["path"] = .text(path)
    message["answer"] = .object(["view": .object(view)])
    return JSONValue.object(message).line
  }

  private func close(view path: String) {
    guard views.remove(path) != nil else { return }
    viewCount -= 1
    state.views.close(path)
  }

  /// The connection to a session for a use; it is made if there is none.
  private func link(_ session: String, for use: Use) throws(RequestRefusal) -> ControlLink {
    if let link = links[session]?[use], link.isOpen { return link }
    guard links[session] != nil || links.count < state.limits.sessionsPerBrowser else {
      throw RequestRefusal(
        message: "a page shows \(state.limits.sessionsPerBrowser) sessions at most")
    }
    let link: ControlLink
    do throws(ControlError) {
      link = try ControlLink(
        session, in: state.folder, name: name, loop,
        notice: { [weak self] in self?.notify($0, of: session) },
        ended: { [weak self] in self?.end(session) })
    } catch {
      state.sessions.look()
      throw RequestRefusal(message: error.description)
    }
    links[session, default: [:]][use] = link
    return link
  }

  /// Ends the connections to a session, and reports it once.
  private func end(_ session: String) {
    guard let ended = links.removeValue(forKey: session) else { return }
    for link in ended.values { link.close() }
    // What was still to be said of it is old.
    ticks.remove(subjectsWithPrefix: "\(session)/")
    post(.object(["from": .text(session), "ended": .bool(true)]), about: "\(session)/ended")
    state.sessions.look()
  }

  private func notify(_ line: [UInt8], of session: String) {
    guard let subject = NoticeSubject.of(line) else { return }
    let start = Array("{\"from\":".utf8) + JSONValue.text(session).line + [UInt8(ascii: ",")]
    let notice = start + line.dropFirst()
    if subject == NoticeSubject.midi {
      ticks.append(
        notice, about: "\(session)/\(subject)", most: WebLimits.midiNotices,
        merge: { LostMIDI($0, $1, from: session).line })
    } else {
      ticks.add(notice, about: "\(session)/\(subject)")
    }
    planTick()
  }

  /// Reports that other sessions run.
  func reportSessions() {
    post(sessionList(), about: "sessions")
  }

  private func post(_ value: JSONValue, about subject: String) {
    ticks.add(value.line, about: subject)
    planTick()
  }

  private func planTick() {
    guard !isTickPlanned, ticks.isDue else { return }
    isTickPlanned = true
    loop.assumeIsolated().scheduleTask(in: .milliseconds(state.limits.tickMilliseconds)) {
      [weak self] in
      self?.isTickPlanned = false
      self?.sendTick()
    }
  }

  private func sendTick() {
    // One at its time: an acknowledgement does not hurry the next.
    if isTickPlanned || isClosed { return }
    if let tick = ticks.take() { send(tick) }
    planTick()
  }

  private func answer(_ id: Int64, answer: JSONValue) {
    send(JSONValue.object(["id": .integer(id), "answer": answer]).line)
  }

  private func answer(_ id: Int64, error: RequestRefusal) {
    send(JSONValue.object(["id": .integer(id), "error": error.value]).line)
  }

  /// Nothing to do: a page acknowledges what it has taken.
  func resume() {}

  /// Ends all connections to sessions.
  func close() {
    isClosed = true
    for path in views { close(view: path) }
    state.bridges[ObjectIdentifier(self)] = nil
    let all = links.values
    links = [:]
    for link in all.flatMap(\.values) { link.close() }
  }
}
