// Carries out what comes by OSC.

import Configuration
import OSC
import UnitModel

extension JackSession {
  /// Does what there is to do.
  func serve(_ osc: SessionOSC) {
    let tasks = osc.take(
      cycles: connection?.backend.statistics.cycles, connection?.backend.moment)
    for (task, frame) in tasks { carryOut(task, at: frame, osc) }
  }

  /// Says what came for the first time that could not be used.
  func report(_ osc: SessionOSC) {
    osc.expire()
    for line in osc.takeNews() { log.warning("\(line)") }
  }

  /// Says how much of it there was.
  func reportEnd(of osc: SessionOSC) {
    report(osc)
    for line in osc.countLines { log.info("\(line)") }
  }

  private func carryOut(_ task: OSCTask, at frame: Int64?, _ osc: SessionOSC) {
    func send(_ command: SessionCommand) {
      carryOut(
        SessionRequest(
          command: command, answer: { osc.answer($0, to: task) }, tell: { _ in },
          whenGone: { _ in }, author: ChangeAuthor(.osc, client: task.peer.place.address),
          isLogged: false))
    }
    switch task.request {
    case .command(.set(let path, let value, let ramp, _, _)):
      guard let command = set(path, to: value, ramp, frame, task, osc) else { break }
      send(command)
    case .command(.list(let path?)):
      if mayLook(for: path, task, osc) { send(.list(path: path)) }
    case .command:
      if let command = task.request.command(at: frame) { send(command) }
    case .unit, .units: send(.list(path: nil))
    case .subscribe(let paths, let port):
      for path in paths { subscribe(to: path, port, task, osc) }
    case .unsubscribe(let paths, let port):
      osc.unsubscribe(task.peer.answered(at: port), paths.isEmpty ? nil : paths)
    case .nothing: break
    }
  }

  /// Faders have no whole numbers: the nearest is meant.
  private func set(
    _ path: String, to value: SettingValue, _ ramp: Double?, _ frame: Int64?, _ task: OSCTask,
    _ osc: SessionOSC
  ) -> SessionCommand? {
    guard mayLook(for: path, task, osc) else { return nil }
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
        osc.note(ParameterReading(parameter, of: id).path, known, by: task.peer)
      }
    }
    return .set(path: path, value: value, rampMilliseconds: ramp, frame: frame)
  }

  /// To say what may have been meant by an unknown path takes time, which nobody is given without
  /// end.
  private func mayLook(for path: String, _ task: OSCTask, _ osc: SessionOSC) -> Bool {
    if control.hasNode(at: path) || osc.mayExplain { return true }
    osc.count(.refused)
    return false
  }

  private func subscribe(to path: String, _ port: Int?, _ task: OSCTask, _ osc: SessionOSC) {
    let peer = task.peer.answered(at: port)
    guard mayLook(for: path, task, osc) else { return }
    guard osc.subscribe(peer, to: path, for: task.peer) else {
      osc.refuse(
        SessionCommandError(
          "too many subscriptions",
          accepted: "\(OSCSubscribers.maximumPaths) paths for each of "
            + "\(OSCSubscribers.maximumSubscribers) subscribers"), of: task.peer, task.address)
      return
    }
    carryOut(
      SessionRequest(
        command: .watch(paths: [path]),
        answer: { result in
          switch result {
          case .success(.parameters(let readings)):
            for reading in readings { osc.post(reading, to: peer) }
          case .success: break
          case .failure(let error):
            osc.unsubscribe(peer, [path])
            osc.refuse(error, of: task.peer, task.address)
          }
        }, tell: { osc.post($0, to: peer) }, whenGone: { osc.keep($0, of: peer, path) },
        isLogged: false))
  }
}

extension OSCPeer {
  /// The same one, where it listens at another port. A connection has none.
  fileprivate func answered(at port: Int?) -> OSCPeer {
    guard let port, connection == nil else { return self }
    var peer = self
    peer.place.port = port
    return peer
  }
}

extension SessionOSC {
  fileprivate var mayExplain: Bool { state.withLock { $0.explanations.spend() } }

  /// One line for each count above 0.
  var countLines: [String] { state.withLock { $0.counts.lines } }

  /// What went wrong for the first time, a line each.
  fileprivate func takeNews() -> [String] {
    state.withLock { state in
      let new = OSCCounts.Count.allCases.filter {
        $0.isFault && state.counts[$0] > 0 && state.told.insert($0).inserted
      }
      return new.map { "\(state.counts.firstLine($0)); auricle ctl status counts them" }
    }
  }
}
