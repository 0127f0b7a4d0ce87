// Learning which control is to move a parameter.

import Configuration
import ControlUnit
import SessionModel
import UnitModel

/// A parameter that waits for a control to be moved.
struct Learning {
  let path: String
  let settings: [String]
  let deadline: ContinuousClock.Instant
  let answer: OneAnswer<SessionAnswer>
  /// The client; the learning ends if it disconnects.
  let asker: Asker
  let author: ChangeAuthor
  var recognition: ControlRecognition
  /// Time at which the control was first moved; nil before.
  var start: ContinuousClock.Instant?

  /// Maximum time for the second half of a message.
  static let patience = Duration.milliseconds(300)
}

extension JackSession {
  /// Begins to listen for the control that is to move a parameter. Answers when one has moved, or
  /// after the timeout.
  ///
  /// - Throws: a mistake in the mapping that does not depend on the control.
  func learn(
    _ path: String, _ settings: [String], _ options: SessionCommand.LearnOptions,
    for asker: Asker,
    _ answer: @escaping @Sendable (Result<SessionAnswer, SessionCommandError>) -> Void
  ) throws(SessionCommandError) {
    if let learning {
      throw SessionCommandError(
        "\(quoted(learning.path)) waits for its control", accepted: "its end, or a moved control")
    }
    let seconds = options.timeoutSeconds ?? SessionCommand.LearnOptions.usualSeconds
    guard SessionCommand.LearnOptions.seconds.contains(seconds) else {
      throw SessionCommandError("a timeout of \(seconds) s", accepted: "1 to 3600 seconds")
    }
    for setting in settings
    where MappingConfiguration.sourceKeys.contains(String(setting.prefix { $0 != "=" })) {
      throw SessionCommandError(
        "\(quoted(setting)) says which control it is", accepted: "how it moves; or auricle ctl map")
    }
    let path = SessionControl.placeText(path)
    try rehearse(try SessionControl.mapping(of: path, settings + ["controller=0"]))
    learning = Learning(
      path: path, settings: settings, deadline: time.now + .seconds(seconds),
      answer: OneAnswer { answer($0.mapError { SessionCommandError($0) }) }, asker: asker,
      author: .current,
      recognition: ControlRecognition(
        takesNotes: options.takesNotes, takesPrograms: SessionControl.isSetting(path)))
    renewStructure(for: path, answering: learning?.answer)
  }

  /// Tries a mapping without making it.
  private func rehearse(_ mapping: MappingConfiguration) throws(SessionCommandError) {
    var configuration = store.origin.configuration
    configuration.add(mapping)
    guard let structure = SessionStructure(configuration, plan.units) else {
      throw SessionCommandError("units of this session cannot change: it was made by a program")
    }
    do throws(ConfigurationProblem) { _ = try plan.following(structure, listens: true) } catch {
      throw SessionCommandError(error)
    }
  }

  /// Renews the session's structure, with the control unit as long as the session listens.
  ///
  /// - Parameter path: the mapped path. The renewal waits for changes of its mappings.
  private func renewStructure(for path: String, answering answer: OneAnswer<SessionAnswer>?) {
    begin("learn \(path)", SessionControl.mappingClaims(path)) { [store, editor, late] in
      do {
        try await late.holding(Claims([.structure])) {
          let structure = SessionStructure(store.origin.configuration, editor.units)
          if let structure { try await editor.edit(structure) { _ in } }
        }
      } catch { answer?.give(.failure(error)) }
    }
  }

  /// Takes the messages that have arrived. Called twenty times a second.
  func listen() {
    guard var learning else { return }
    if learning.asker.hasGone.load(ordering: .relaxed) {
      endListening()
      renewStructure(for: learning.path, answering: nil)
      return learning.answer.give(.failure(SessionCommandError("the client has disconnected")))
    }
    if let control = plan.controlNode?.unit as? ControlUnit {
      control.setListening(true)
      for message in control.takeHeard() { learning.recognition.take(message) }
    }
    let now = time.now
    if learning.recognition.found != nil, learning.start == nil { learning.start = now }
    self.learning = learning
    if let found = learning.recognition.found, let start = learning.start,
      now - start >= Learning.patience
    {
      endListening()
      map(found, learning)
    } else if now >= learning.deadline || learning.answer.isGiven {
      endListening()
      renewStructure(for: learning.path, answering: nil)
      learning.answer.give(
        .failure(
          SessionCommandError(
            "no control was moved in time",
            accepted: "one that is connected to \(clientName):control_midi_in")))
    }
  }

  private func endListening() {
    learning = nil
    (plan.controlNode?.unit as? ControlUnit)?.setListening(false)
  }

  private func map(
    _ found: (source: MappingConfiguration.Source, channel: Int), _ learning: Learning
  ) {
    var settings = learning.settings
    settings.insert(found.source.text, at: 0)
    if !settings.contains(where: { $0.hasPrefix("channel=") }) {
      settings.insert("channel=\(found.channel)", at: 1)
    }
    let answer = learning.answer
    let reading = try? MappingReading(SessionControl.mapping(of: learning.path, settings))
    execute(
      SessionRequest(
        command: .map(path: learning.path, settings: settings),
        answer: { result in
          answer.give(
            result.map { _ in reading.map { .mappings([$0]) } ?? .done }.mapError { $0 })
        },
        notify: { _ in }, whenGone: { _ in }, author: learning.author))
    // Removes the control unit if the mapping was refused and there are no others; changes nothing
    // otherwise.
    renewStructure(for: learning.path, answering: nil)
  }
}
