// The state of the page's listener, on its event loop.

import ControlSocket
import NIOCore
import NIOHTTP1

/// The state that the connections of pages share. Used on the event loop only.
final class ServerState: HTTPService {
  let limits: WebLimits
  let folder: ControlFolder
  private var gate: RequestGate
  /// The number of WebSockets so far.
  var browserNumber = 0
  /// The bridges of open WebSockets.
  var bridges: [ObjectIdentifier: Bridge] = [:]
  let sessions: RunningSessions

  init(_ gate: RequestGate, limits: WebLimits, folder: ControlFolder) {
    (self.gate, self.limits, self.folder) = (gate, limits, folder)
    sessions = RunningSessions(folder)
    sessions.changed = { [weak self] in
      for bridge in self?.bridges.values ?? [:].values { bridge.reportSessions() }
    }
  }

  /// Returns the state of a listener, and looks for sessions from now on.
  static func listening(
    _ listener: Listener, _ key: AccessKey, _ options: WebOptions, _ loop: any EventLoop
  ) -> ListenerState {
    let gate = RequestGate(key, listener.address, port: listener.port, names: options.hosts)
    let state = ServerState(gate, limits: options.limits, folder: options.folder)
    let second = TimeAmount.seconds(1)
    let bound = NIOLoopBound(state, eventLoop: loop)
    loop.scheduleRepeatedTask(initialDelay: second, delay: second) { _ in
      if !bound.value.bridges.isEmpty { bound.value.sessions.lookIfChanged() }
    }
    return ListenerState(state, options.limits)
  }

  func judge(_ head: HTTPRequestHead) -> RequestVerdict { gate.judge(head) }

  /// The views that pages show.
  var views: OpenViews {
    get { gate.views }
    set { gate.views = newValue }
  }

  func open(_ access: Access, _ output: SocketOutput) -> any SocketService {
    let bridge = Bridge(self, access, output.loop) { output.send($0, false) }
    bridges[ObjectIdentifier(bridge)] = bridge
    return bridge
  }
}
