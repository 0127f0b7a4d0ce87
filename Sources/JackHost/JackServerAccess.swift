// Opening clients of a session at its JACK server.

import Configuration
import GraphRender
import JackBackend
import Logging
import Session
import SessionModel

/// Opens a session's client at its server, repeatedly. Keeps the connections for the next client.
final class JackServerAccess: SessionServer {
  private let options: JackSession.Options
  private let log: Logger
  private let remembered = RememberedConnections()
  /// Whether a private server is started again after it has ended.
  private var startsDummyServer = false
  /// The last error that was logged.
  private var logged: String?

  init(_ options: JackSession.Options, log: Logger) { (self.options, self.log) = (options, log) }

  var name: String { options.server ?? DummyServer.defaultName }

  /// - Parameter prepare: called after everything is compiled, before the render thread starts.
  /// - Throws: `jack`, `graph`, `noCycle`; everything that was started has been ended then.
  /// - Thread: [control]
  func open(
    _ plan: SessionPlan, start: ServerStart, prepare: () -> Void = {}
  ) throws(SessionError) -> JackConnection {
    let connection = try JackConnection(
      plan, clientName: options.clientName ?? plan.clientName, server: options.server,
      start: start, secondCore: options.secondCore,
      metadataProgram: options.metadataProgram, remembering: remembered, log: log, prepare: prepare)
    startsDummyServer = connection.dummyServer != nil
    return connection
  }

  func reopen(_ plan: SessionPlan) throws(SessionError) -> (any SessionHost)? {
    let connection: JackConnection
    do throws(SessionError) {
      // Never restart a server that its user has ended; only a private one.
      connection = try open(plan, start: startsDummyServer ? .dummy : .never)
    } catch .jack(JackError.noServer) {
      return nil
    } catch .graph(let error) {
      throw .graph(error)
    } catch {
      if logged != "\(error)" { log.warning("\(error); trying again") }
      logged = "\(error)"
      return nil
    }
    logged = nil
    connection.describe()
    connection.comeBack()
    return connection
  }
}
