// Messages that a session sends by OSC.

import OSC
import SessionModel

extension SessionOSC {
  /// Subscribes a peer to changes below a path.
  ///
  /// - Returns: false if there is no room for another subscription.
  func subscribe(_ peer: OSCPeer, to path: String, for source: OSCPeer) -> Bool {
    let ends = state.withLock { $0.subscribers.add(peer, path, for: source, at: .now) }
    for end in ends ?? [] { end() }
    return ends != nil
  }

  /// - Parameter end: ends the watch; called at once if the subscription no longer exists.
  func keep(_ end: @escaping @Sendable () -> Void, of peer: OSCPeer, _ path: String) {
    if !state.withLock({ $0.subscribers.keep(end, of: peer, path) }) { end() }
  }

  /// - Parameter paths: the paths; nil for all.
  func unsubscribe(_ peer: OSCPeer, _ paths: [String]?) {
    for end in state.withLock({ $0.subscribers.remove(peer, paths) }) { end() }
  }

  /// Ends subscriptions that were not renewed.
  func expire() {
    let ends = state.withLock { $0.subscribers.expire(at: .now) }
    for end in ends {
      count(.unsubscribed)
      end()
    }
  }

  /// Records a value that a peer sets.
  func note(_ path: String, _ value: Float, by peer: OSCPeer) {
    state.withLock { $0.subscribers.note(path, value, by: peer, at: .now) }
  }

  /// Schedules a change to be sent to a subscriber soon. Of several changes of a parameter only the
  /// last is sent.
  func post(_ notice: SessionNotice, to peer: OSCPeer) {
    let isFirst = state.withLock { state in
      state.subscribers.post(notice, to: peer)
      defer { state.isSending = true }
      return !state.isSending && !state.isClosed
    }
    guard isFirst else { return }
    Task.detached { [weak self] in
      repeat { try? await Task.sleep(for: .milliseconds(10)) } while self?.sendNews() == true
    }
  }

  /// - Returns: whether there is more to send.
  private func sendNews() -> Bool {
    let (news, hasMore) = state.withLock { state in
      var answers = state.answers
      let news = state.subscribers.take(256, at: .now) { answers.spend(for: $0) }
      state.answers = answers
      state.isSending = state.subscribers.hasNews && !state.isClosed
      return (news, state.isSending)
    }
    for (peer, path, value) in news { transmit(OSCMessage("/" + path, [value]), to: peer) }
    return hasMore
  }

  /// Sends the result of a message to its sender, if there is one.
  func answer(_ result: Result<SessionAnswer, SessionCommandError>, to task: OSCTask) {
    if task.request.isSlow { endSlow() }
    switch result {
    case .failure(let error): refuse(error, of: task.peer, task.address)
    case .success(let answer):
      let messages = messages(of: answer, to: task)
      for message in messages { send(message, to: task.peer) }
      // An empty list is an answer, too.
      if messages.isEmpty, task.isQuestion, answer != .done {
        send(OSCMessage(task.address, []), to: task.peer)
      }
    }
  }

  private func messages(of answer: SessionAnswer, to task: OSCTask) -> [OSCMessage] {
    switch answer {
    // OSC has no requests for these.
    case .done, .mappings, .frame, .journal, .hello, .choices, .response, .view, .waveform:
      return []
    case .parameter(let reading): return [OSCMessage("/" + reading.path, [.float(reading.value)])]
    case .parameters(let readings) where task.address == "/auricle/list":
      return readings.map { reading in
        OSCMessage(
          task.address,
          [
            .string(reading.path), .float(reading.value), .float(reading.minimum),
            .float(reading.maximum), .string(reading.unit), .string(reading.text),
          ])
      }
    case .parameters(let readings):
      return readings.map { OSCMessage("/" + $0.path, [.float($0.value)]) }
    case .presets(let presets):
      return presets.map { OSCMessage(task.address, [.int32(Int32($0.number)), .string($0.name)]) }
    case .scenes(let scenes): return scenes.map { OSCMessage(task.address, [.string($0.name)]) }
    case .status(let status): return status.messages
    case .saved: return [OSCMessage(task.address, [.string("saved")])]
    case .changes(let changes):
      return changes.map { OSCMessage(task.address, [.string($0.path), .string($0.text)]) }
    case .units(let units): return messages(of: units, to: task)
    }
  }

  private func messages(of units: [UnitReading], to task: OSCTask) -> [OSCMessage] {
    guard case .unit(let id, let question) = task.request else {
      return units.map { OSCMessage(task.address, [.string($0.id), .string($0.component)]) }
    }
    guard let unit = units.first(where: { $0.id == id }) else {
      refuse(
        .unknown("unit", id, in: "this session", accepted: units.map(\.id)), of: task.peer,
        task.address)
      return []
    }
    switch question {
    case .bypass: return [OSCMessage(task.address, [.int32(unit.isBypassed ? 1 : 0)])]
    case .preset, .entry: return [OSCMessage(task.address, [.string(unit.preset ?? "")])]
    }
  }
}

extension SessionStatus {
  /// A message for each value that is known, each with its address.
  fileprivate var messages: [OSCMessage] {
    var values: [(String, OSCArgument)] = [
      ("client", .string(client)), ("server", .string(server)),
      ("running", .int32(isServerThere ? 1 : 0)), ("dirty", .int32(isDirty ? 1 : 0)),
      ("units", .int32(Int32(units))),
    ]
    if let sampleRate { values.append(("rate", .int32(Int32(sampleRate)))) }
    if let period { values.append(("period", .int32(Int32(period)))) }
    if let frame { values.append(("frame", .int64(frame))) }
    if let load { values.append(("load", .float(load))) }
    if let xruns { values.append(("xruns", .int32(Int32(clamping: xruns)))) }
    values += counts.map { ("count", .string($0)) }
    return values.map { OSCMessage("/auricle/status/" + $0.0, [$0.1]) }
  }
}
