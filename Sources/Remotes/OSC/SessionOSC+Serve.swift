// Execution of OSC requests.

import Configuration
import OSC
import Session
import SessionModel
import UnitModel

extension SessionOSC: SessionRemote {
  package func serve(_ session: JackSession) {
    let host = session.host
    for (task, frame) in take(cycles: host?.statistics.cycles, host?.moment) {
      execute(task, at: frame, session)
    }
  }

  /// Logs the first message of each kind that could not be used.
  package func report(to session: JackSession) {
    expire()
    for line in takeNews() { session.log.warning("\(line)") }
  }

  /// Logs the counts.
  package func reportEnd(to session: JackSession) {
    report(to: session)
    for line in countLines { session.log.info("\(line)") }
  }

  package func refusal(ofUnit id: String) -> String? {
    id == OSCRequest.ownName ? "'\(id)' is how OSC calls the session itself" : nil
  }

  /// One line for each count above 0.
  package var countLines: [String] { state.withLock { $0.counts.lines } }

  private func execute(_ task: OSCTask, at frame: Int64?, _ session: JackSession) {
    func send(_ command: SessionCommand) {
      session.execute(
        SessionRequest(
          command: command, answer: { [self] in answer($0, to: task) },
          author: ChangeAuthor(.osc, client: task.peer.place.address), isLogged: false))
    }
    let control = session.control
    switch task.request {
    case .command(.set(let path, let value, let ramp, _, _)):
      guard let command = set(path, to: value, ramp, frame, task, control) else { break }
      send(command)
    case .command(.list(let path?)):
      if mayLook(for: path, control) { send(.list(path: path)) }
    case .command:
      if let command = task.request.command(at: frame) { send(command) }
    case .note(let note): play(note, at: frame, task, control, send)
    case .unit, .units: send(.list(path: nil))
    case .subscribe(let paths, let port):
      for path in paths where mayLook(for: Self.looked(path), control) {
        if let request = subscription(to: path, port, task) { session.execute(request) }
      }
    case .unsubscribe(let paths, let port):
      unsubscribe(task.peer.answered(at: port), paths.isEmpty ? nil : paths)
    case .nothing: break
    }
  }

  /// Faders have no whole numbers: the nearest is set.
  private func set(
    _ path: String, to value: SettingValue, _ ramp: Double?, _ frame: Int64?, _ task: OSCTask,
    _ control: SessionControl
  ) -> SessionCommand? {
    guard mayLook(for: path, control) else { return nil }
    var value = value
    if let (id, parameter) = try? control.parameter(at: path) {
      if case .number(let number) = value, parameter.isWhole { value = .number(number.rounded()) }
      let known: Float? =
        switch value {
        case .number(let number): Float(number)
        case .boolean(let isOn): isOn ? 1 : 0
        case .string: nil
        }
      if let known {
        note(ParameterReading(parameter, of: id).path, known, by: task.peer)
      }
    }
    return .set(path: path, value: value, rampMilliseconds: ramp, frame: frame)
  }

  /// Returns the path to look up for a subscription.
  private static func looked(_ path: String) -> String {
    guard let units = OSCRequest.meters(path), units != [SessionCommand.allUnits] else {
      return path
    }
    return units[0]
  }

  /// Plays a note. A parameter of that name takes precedence.
  private func play(
    _ note: PlayedNote, at frame: Int64?, _ task: OSCTask, _ control: SessionControl,
    _ send: (SessionCommand) -> Void
  ) {
    let path = "\(note.unit)/note"
    if control.hasNode(at: path) {
      return send(
        .set(
          path: path, value: .number(Double(note.key)), rampMilliseconds: Double(note.velocity),
          frame: frame))
    }
    do throws(SessionCommandError) { try control.play(note, at: frame) } catch {
      refuse(error, of: task.peer, task.address)
    }
  }

  /// Whether to look up a path. An error for an unknown path, with its suggestions, takes time, so
  /// the number of these is limited.
  private func mayLook(for path: String, _ control: SessionControl) -> Bool {
    if control.hasNode(at: path) || state.withLock({ $0.explanations.spend() }) { return true }
    count(.refused)
    return false
  }

  /// - Returns: the request; nil if there is no room for the subscription.
  private func subscription(
    to path: String, _ port: Int?, _ task: OSCTask
  ) -> SessionRequest? {
    let peer = task.peer.answered(at: port)
    guard subscribe(peer, to: path, for: task.peer) else {
      refuse(
        SessionCommandError(
          "too many subscriptions",
          accepted: "\(OSCSubscribers.maximumPaths) paths for each of "
            + "\(OSCSubscribers.maximumSubscribers) subscribers"), of: task.peer, task.address)
      return nil
    }
    let meters = OSCRequest.meters(path)
    return SessionRequest(
      command: .watch(paths: meters == nil ? [path] : [], meters: meters ?? []),
      answer: { [self] result in
        switch result {
        case .success(.parameters(let readings)):
          for reading in readings { post(.change(reading), to: peer) }
        case .success: break
        case .failure(let error):
          unsubscribe(peer, [path])
          refuse(error, of: task.peer, task.address)
        }
      }, notify: { [self] in post($0, to: peer) }, whenGone: { [self] in keep($0, of: peer, path) },
      isLogged: false)
  }

  /// Returns the kinds of errors that have occurred for the first time, a line each.
  private func takeNews() -> [String] {
    state.withLock { state in
      let new = OSCCounts.Count.allCases.filter {
        $0.isFault && state.counts[$0] > 0 && state.reported.insert($0).inserted
      }
      return new.map { "\(state.counts.firstLine($0)); auricle ctl status counts them" }
    }
  }
}

extension OSCPeer {
  /// Returns the same peer at another port, if it listens there. A connection has no other port.
  fileprivate func answered(at port: Int?) -> OSCPeer {
    guard let port, connection == nil else { return self }
    var peer = self
    peer.place.port = port
    return peer
  }
}
