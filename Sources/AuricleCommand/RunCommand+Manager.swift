// auricle run, under a session manager.

import Configuration
import JackBackend
import JackHost
import Logging
import Remotes
import Session
import SessionModel

/// A session of a session manager's project, with its sockets while it runs.
private final class ManagedSession {
  let session: JackSession
  private let plan: SessionPlan
  private let osc: OSCOptions
  private let log: Logger
  private(set) var socket: SessionSocket?
  private(set) var network: SessionOSC?

  /// - Throws: `SessionError`; nothing stays open then.
  init(
    _ opening: NSMOpening, _ options: JackSession.Options, osc: OSCOptions, _ log: Logger
  ) throws {
    (plan, self.osc, self.log) = (opening.plan, osc, log)
    var options = options
    options.clientName = opening.project.clientID
    options.folder = opening.project.folder
    options.recovery = opening.recovery
    network = try osc.listen(for: plan, log)
    do {
      session = try JackSession(plan, options, log: log)
    } catch {
      network?.close()
      throw error
    }
    socket = SessionSocket.listening(as: session.clientName, log)
  }

  /// Closes its JACK client and sockets, so that another session can start.
  func pause() {
    session.pause()
    close()
  }

  /// Resumes its remote control after the other session failed to start.
  func resume() throws {
    network = try osc.listen(for: plan, log)
    socket = SessionSocket.listening(as: session.clientName, log)
  }

  /// Ends the session.
  func end() async {
    await session.end()
    close()
  }

  private func close() {
    network?.close()
    socket?.close()
    (network, socket) = (nil, nil)
  }
}

extension RunCommand {
  /// Runs the projects that a session manager opens, one after another.
  func run(
    managedAt url: String, until signals: SignalStream, _ web: WebCompanion?, _ log: Logger
  ) async throws {
    if let name = client.clientName {
      throw CommandFailure(
        message: "a session manager names its clients; leave out --client-name '\(name)', or give "
          + "--no-nsm",
        status: 2)
    }
    let link = try NSMLink(url)
    let log = link.forwarding(log)
    let manager = NSMClient(link, making(log), log: log)
    let serving = Task { await manager.serve(as: CommandLine.arguments.first ?? "auricle") }
    let ending = Task {
      for await case .end in signals.requests { manager.end() }
    }
    defer {
      ending.cancel()
      manager.close()
      serving.cancel()
    }
    for remedy in RealtimeLimits.current.remedies { log.warning("\(remedy)") }
    try await run(manager, until: signals, web, log)
    guard let failure = manager.failure else { return }
    if let error = failure as? ConfigurationError { throw CommandFailure.badConfiguration(error) }
    throw failure
  }

  private func making(_ log: Logger) -> NSMClient.Making {
    NSMClient.Making(
      makeBuilder: { try SessionPlan.makeBuilder(log, notifying: $0) },
      beginning: { [config] in try SessionPlan.locate(config) },
      makeRecovery: { [autosave] in SessionRecovery(intervalSeconds: autosave, log: log) },
      choice: recoveryChoice)
  }

  private func run(
    _ manager: NSMClient, until signals: SignalStream, _ web: WebCompanion?, _ log: Logger
  ) async throws {
    var running: ManagedSession?
    for await opening in manager.openings where !opening.isAnswered {
      // The former session's client may have the new one's name.
      running?.pause()
      var started: ManagedSession?
      do {
        started = try ManagedSession(opening, client.options(followsFile: watch), osc: osc, log)
      } catch { manager.fail(opening, error) }
      let bridge: NSMBridge
      if let started {
        await running?.end()
        running = started
        bridge = manager.succeed(opening, started.session.readyLine)
        try reportReady(started.session.readyLine, log)
        web?.start(started.socket?.name, log)
      } else {
        try running?.resume()
        bridge = manager.resume()
      }
      guard let managed = running else { return }
      do {
        let remotes: [(any SessionRemote)?] = [managed.socket, managed.network, bridge]
        try await managed.session.run(until: signals, remotes: remotes.compactMap(\.self)) {
          mayLeave(managed, for: manager)
        }
      } catch {
        await managed.end()
        throw error
      }
    }
    await running?.end()
  }

  /// Whether a session is to end for another one. Refuses an opening that is known to fail.
  private func mayLeave(_ managed: ManagedSession, for manager: NSMClient) -> Bool {
    guard let opening = manager.opening else { return false }
    do {
      try managed.session.check(opening.plan, as: opening.project.clientID)
      return true
    } catch {
      manager.fail(opening, error)
      return false
    }
  }
}
