// This program as a client of a session manager.

import Configuration
import FoundationEssentials
import Glibc
import Logging
import Session
import SessionModel
import Synchronization

/// A client of a session manager's session. Announces itself, builds a session for each project to
/// be opened, and hands it to the task that runs sessions.
package final class NSMClient: Sendable {
  /// The functions and options used to make sessions.
  package struct Making: Sendable {
    /// Makes a session builder that reports the progress of reading files.
    package var makeBuilder:
      @Sendable (_ progress: @escaping LoadingProgress) throws -> SessionBuilder
    /// Returns the file of the configuration that new projects start with.
    package var beginning: @Sendable () throws -> URL
    /// Makes the store of unsaved changes.
    package var makeRecovery: @Sendable () -> SessionRecovery
    /// The handling of recoveries of the first project.
    package var choice: RecoveryOption

    package init(
      makeBuilder:
        @escaping @Sendable (_ progress: @escaping LoadingProgress) throws
        -> SessionBuilder,
      beginning: @escaping @Sendable () throws -> URL,
      makeRecovery: @escaping @Sendable () -> SessionRecovery, choice: RecoveryOption
    ) {
      (self.makeBuilder, self.beginning) = (makeBuilder, beginning)
      (self.makeRecovery, self.choice) = (makeRecovery, choice)
    }
  }

  private struct State {
    var isAccepted = false
    /// A session that is built but not running yet.
    var opening: NSMOpening?
    /// The bridge of the running session.
    var bridge: NSMBridge?
    /// The reason why there will be no session.
    var failure: (any Error)?
    var hasEnded = false
  }

  /// The maximum time for the server's first answer.
  private static let patience: Duration = .seconds(10)
  /// The maximum silence of a server that answers pings. It may be copying a session meanwhile.
  private static let silence: Duration = .seconds(6)
  /// The maximum number of pings to a server that has answered none.
  private static let attempts = 5

  /// Sessions to run, for one consumer; ends when there will be no more.
  package let openings: AsyncStream<NSMOpening>
  private let newOpening: AsyncStream<NSMOpening>.Continuation
  private let state = Mutex(State())
  let link: NSMLink
  private let making: Making
  private let log: Logger

  package init(_ link: NSMLink, _ making: Making, log: Logger) {
    (self.link, self.making, self.log) = (link, making, log)
    (openings, newOpening) = AsyncStream<NSMOpening>.makeStream()
  }

  /// Announces this program, and handles the server's messages until `end`.
  ///
  /// - Parameter executable: the path or name that this program was started with.
  /// - Thread: [control]
  package func serve(as executable: String) async {
    let impatience = Task { [self] in
      try await Task.sleep(for: Self.patience)
      if state.withLock({ !$0.isAccepted }) {
        giveUp(
          "the session manager at \(link.url) has not answered within "
            + "\(Self.patience.components.seconds) s; --no-nsm runs a session without it")
      }
    }
    let watching = Task { [self] in await watchServer() }
    defer {
      impatience.cancel()
      watching.cancel()
    }
    link.send(.announcement(NSMAnnouncement(executable: executable, process: getpid())))
    for await message in link.messages { await take(message) }
  }

  private func take(_ message: NSMServerMessage) async {
    switch message {
    case .accepted(let name, let capabilities):
      state.withLock { $0.isAccepted = true }
      log.info(
        "the session manager is \(printable(name, 100)), with \(capabilities.sorted().joined(separator: ", "))"
      )
    case .refused(let failure):
      giveUp("the session manager refuses Auricle: \(failure)")
    case .open(let project): await open(project)
    case .save: save()
    case .sessionIsLoaded: log.debug("all clients of the session are running")
    case .malformed(let request):
      link.send(
        .error(
          request, NSMFailure(.general, "\(request.rawValue) with other arguments than it has")))
    }
  }

  /// Ends if the server does not accept this program. A running session continues: the server may
  /// not end it.
  private func giveUp(_ text: String) {
    if state.withLock({ $0.bridge == nil && $0.opening == nil }) {
      end(.failed(text))
    } else {
      log.warning("\(text); the session goes on")
    }
  }

  private func save() {
    let (bridge, isOpening) = state.withLock { ($0.bridge, $0.opening != nil) }
    if isOpening {
      link.send(.error(.save, NSMFailure(.notNow, "another project is being opened")))
    } else if let bridge {
      bridge.save()
    } else {
      link.send(.error(.save, NSMFailure(.noSessionOpen, "no project is open")))
    }
  }

  // MARK: Opening

  private func open(_ project: NSMProject) async {
    guard state.withLock({ $0.opening == nil }) else {
      link.send(.error(.open, NSMFailure(.notNow, "another project is being opened")))
      return
    }
    do {
      if let fault = project.fault { throw fault }
      let isFirst = state.withLock { $0.bridge == nil }
      let opening = try await NSMProjectBuilder(making, link, log).build(
        project, isFirst ? making.choice : .report)
      state.withLock { $0.opening = opening }
      newOpening.yield(opening)
    } catch {
      refuse(error) { link.send($0) }
    }
  }

  /// Reports to the server why a project is not opened. A running session continues; without one
  /// this program ends.
  private func refuse(_ error: any Error, _ answer: (NSMClientMessage) -> Void) {
    let failure =
      switch error {
      case let failure as NSMFailure: failure
      case let error as NSMProjectError: error.failure
      case SessionError.configuration(let error): NSMFailure(.badProject, error.description)
      case SessionError.graph(let error): NSMFailure(.badProject, error.description)
      default: NSMFailure(.general, "\(error)")
      }
    answer(.error(.open, failure))
    guard state.withLock({ $0.bridge == nil }) else {
      log.error("the project is not opened: \(failure.text)")
      return
    }
    end((error as? NSMProjectError)?.cause ?? error)
  }

  // MARK: Running sessions

  /// The session that is ready to replace the running one; nil if there is none.
  package var opening: NSMOpening? { state.withLock { $0.opening } }

  /// Reports to the server that a project is open.
  ///
  /// - Returns: the bridge for the run of the session.
  /// - Thread: [control]
  package func succeed(_ opening: NSMOpening, _ text: String) -> NSMBridge {
    let bridge = NSMBridge(link)
    state.withLock { state in
      state.bridge = bridge
      state.opening = nil
    }
    link.send(.progress(1))
    _ = opening.answer(.reply(.open, text))
    return bridge
  }

  /// Reports to the server that a project could not be opened after all.
  /// - Thread: [control]
  package func fail(_ opening: NSMOpening, _ error: any Error) {
    state.withLock { $0.opening = nil }
    refuse(error) { _ = opening.answer($0) }
  }

  /// Continues a session that was to end for another one.
  /// - Returns: its new bridge.
  /// - Thread: [control]
  package func resume() -> NSMBridge {
    let bridge = NSMBridge(link)
    state.withLock { $0.bridge = bridge }
    return bridge
  }

  // MARK: End

  /// The reason why there will be no more session; nil if the end was requested.
  package var failure: (any Error)? { state.withLock { $0.failure } }

  private func end(_ error: SessionError) { end(error as any Error) }

  private func end(_ error: any Error) {
    state.withLock { state in
      if !state.hasEnded { state.failure = error }
    }
    end()
  }

  /// Ends the conversation.
  /// - Thread: [any]
  package func end() {
    state.withLock { $0.hasEnded = true }
    newOpening.finish()
  }

  /// Stops listening.
  /// - Thread: [control]
  package func close() {
    end()
    link.close()
  }

  /// Logs when the server ends or is silent, because UDP reports neither. Ends if no session is
  /// running.
  private func watchServer() async {
    // The server may have ended before the first check.
    var (wasListenedAt, isSilent) = (link.wasPortListenedAt, false)
    var pings = 0
    while !Task.isCancelled {
      if let isListenedAt = link.isPortListenedAt {
        if wasListenedAt, !isListenedAt { return lose("has ended") }
        wasListenedAt = isListenedAt
      }
      let silence = link.silence
      // A server that does not answer pings is not asked forever.
      if silence != nil || pings < Self.attempts { link.send(.ping) }
      pings += 1
      let wasSilent = isSilent
      isSilent = silence.map { $0 > Self.silence } ?? false
      if isSilent, !wasSilent { lose("does not answer any more") }
      if wasSilent, !isSilent { log.notice("the session manager at \(link.url) answers again") }
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func lose(_ what: String) {
    let manager = "the session manager at \(link.url) \(what)"
    guard state.withLock({ $0.bridge != nil }) else { return end(.failed(manager)) }
    log.warning(
      "\(manager); the session goes on, auricle ctl save saves it, and SIGTERM ends it")
  }
}
