// A session's socket whose answers a test decides.

import ControlSocket
import Foundation
import Synchronization

/// Answers `undo` with an error, `journal` and `learn` when the test wants it, all else with the
/// request.
final class StandIn: Sendable {
  private final class State: Sendable {
    let requests = Mutex<[String]>([])
    let watchers = Mutex<[ControlPeer]>([])
    let held = Mutex<[ControlPeer]>([])

    func take(_ line: [UInt8], _ peer: ControlPeer) {
      let text = String(decoding: line, as: UTF8.self)
      if text.contains("\"hello\"") {
        peer.name =
          text.components(separatedBy: "\"name\":\"").last?
          .components(separatedBy: "\"").first
        return peer.answer(Array("{\"answer\":{}}".utf8))
      }
      requests.withLock { $0.append("\(peer.name ?? "?"): \(text)") }
      if text.contains("\"watch\"") {
        watchers.withLock { $0.append(peer) }
        peer.answer(Array("{\"answer\":{\"parameters\":[]}}".utf8))
      } else if text.contains("\"journal\"") || text.contains("\"learn\"") {
        held.withLock { $0.append(peer) }
      } else if text.contains("\"undo\"") {
        peer.answer(Array("{\"error\":{\"message\":\"nothing to undo\"}}".utf8))
      } else {
        peer.answer(Array("{\"answer\":{\"seen\":\(text)}}".utf8))
      }
    }
  }

  private let server: ControlServer
  private let state = State()

  init(_ name: String, in folder: ControlFolder) throws {
    server = try ControlServer(
      name: name, in: folder, refusal: { Array($0.utf8) },
      handler: { [state] line, peer in state.take(line, peer) })
  }

  deinit { server.close() }

  /// Requests so far, each with the name of its client.
  var requests: [String] { state.requests.withLock { $0 } }

  /// Posts a change to all that watch.
  func change(_ path: String, _ value: Int) {
    for peer in state.watchers.withLock({ $0 }) {
      peer.post(Array("{\"change\":{\"path\":\"\(path)\",\"value\":\(value)}}".utf8), about: path)
    }
  }

  /// Answers the requests that wait.
  func answerHeld() {
    for peer in state.held.withLock({ $0 }) { peer.answer(Array("{\"answer\":{\"late\":1}}".utf8)) }
  }

  func close() { server.close() }
}
