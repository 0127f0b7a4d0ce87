// A session as a client of a JACK server.

import Configuration
import JackBackend
import Logging
import Session
import SessionModel

extension JackSession {
  /// Opens the client, compiles the graph for the server and starts to render.
  /// - Throws: `SessionError`; everything that was started has been ended then.
  /// - Thread: [control]
  public convenience init(
    _ plan: SessionPlan, _ options: Options = Options(), log: Logger
  ) throws(SessionError) {
    do throws(NameError) {
      _ = try ClientName(forJACK: options.clientName ?? plan.clientName)
    } catch {
      throw .failed(error.description)
    }
    let notices = RecentNotices()
    let log = notices.recording(log)
    let server = JackServerAccess(options, log: log)
    let connection = try server.open(plan, start: options.start) {
      // After the units have loaded their sounds, before the render thread exists.
      if options.locksMemory { Self.lockMemory(log) }
    }
    self.init(plan, options, on: connection, from: server, MachineTime(), notices, log: log)
    do throws(SessionError) {
      connection.connectRequested(isSettled: true)
      try connection.examine(plan.requests)
    } catch {
      stop()
      throw error
    }
    connection.describe()
    didJoin(connection)
    if !connection.client.isRealtime {
      log.warning("the JACK server runs without realtime priority; start jackd with -R")
    }
  }

  /// The connection that renders the session at a JACK server; nil without a server.
  package var connection: JackConnection? { host as? JackConnection }

  private static func lockMemory(_ log: Logger) {
    let memory = MemoryLock.lock()
    // Too low a limit has already been reported with its remedy.
    if case .touched = memory, RealtimeLimits.current.mayLockEnoughMemory {
      log.warning("\(memory)")
    } else {
      log.info("\(memory)")
    }
  }
}
