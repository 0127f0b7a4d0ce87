// A change of what is rendered, which takes some cycles.

import Graph
import SessionModel

/// What the host has begun to change for a session.
struct SessionExchange {
  /// What the session is once it is done.
  let next: SessionPlan
  /// Called with the frame on which it began, or with what became of it instead; the session is as
  /// before then.
  let finish: (Result<Int64?, SessionError>) -> Void
}

extension JackSession {
  /// Has the host go on with another plan. Until that is done the session is what it was, and goes
  /// on serving.
  ///
  /// - Parameters:
  ///   - startFrame: where it begins; nil for the next cycle.
  ///   - connectsOutside: whether new ports are connected outside, before anything is heard there.
  ///   - finish: called when what goes has faded; not where an error is thrown.
  /// - Throws: what is wrong with it; nothing has changed then.
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

  /// Carries on what is under way, as far as cycles have come.
  ///
  /// - Parameter waits: whether it waits until that is done.
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

  /// Waits for what is under way: behind it the host is free.
  func finishExchange() { advance(waits: true) }
}
