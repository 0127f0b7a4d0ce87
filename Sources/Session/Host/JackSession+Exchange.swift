// Changes of the rendered graph, which take several cycles.

import Graph
import SessionModel

/// A change that the host has begun for a session.
struct SessionExchange {
  /// Plan of the session after the change.
  let next: SessionPlan
  /// Called with the frame at which the change began, nil if nothing changed, or with its error.
  /// After an error the session is unchanged.
  let finish: (Result<Int64?, SessionError>) -> Void
}

extension JackSession {
  /// Begins to change the host to another plan. Until that is done the session keeps its plan, and
  /// continues to serve.
  ///
  /// - Parameters:
  ///   - startFrame: the frame at which the change begins; nil for the next cycle.
  ///   - connectsOutside: whether new ports are connected outside, before they are heard.
  ///   - finish: called when removed parts have faded; not called if an error is thrown.
  /// - Throws: the reason; nothing has changed then.
  func begin(
    _ next: SessionPlan, on host: any SessionHost, from startFrame: Int64? = nil,
    connectsOutside: Bool = false, finish: @escaping (Result<Int64?, SessionError>) -> Void
  ) throws(SessionError) {
    let rendered: Graph
    do throws(GraphError) { rendered = try self.rendered(next) } catch { throw .graph(error) }
    try host.begin(next, rendered, from: startFrame, connectsOutside: connectsOutside)
    exchange = SessionExchange(next: next, finish: finish)
    advance()
  }

  /// Continues the change under way, as far as cycles have been rendered.
  ///
  /// - Parameter waits: whether to wait until it is done.
  func advance(waits: Bool = false) {
    guard let exchange, let host else { return }
    let result: Result<Int64?, SessionError>
    do throws(SessionError) {
      guard case .done(let frame) = try host.advance(waits: waits) else { return }
      result = .success(frame)
    } catch { result = .failure(error) }
    self.exchange = nil
    exchange.finish(result)
  }

  /// Waits for the change under way. The host is free afterwards.
  func finishExchange() { advance(waits: true) }
}
