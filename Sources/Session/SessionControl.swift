// Central check and execution of commands.

import Graph
import SessionModel
import UnitModel

/// Executes commands on the units of a running session. Commands from the shell and from other
/// programs are all executed here.
///
/// Observers of the units are notified of changes. A refused command has changed nothing.
package struct SessionControl {
  /// Units by their ids, in the order of the session.
  let units: [(id: String, unit: AudioUnit)]
  /// Sample rate of the rendering, in hertz; nil while nothing renders.
  let sampleRate: Double?
  /// Ends the notes that were sent to other clients.
  let endOutside: () -> Void
  let status: () -> SessionStatus
  /// Store of the session; nil if the session cannot be saved.
  var store: SessionStore?
  var history = SessionHistory()
  /// Editor of the session's structure; nil if the session's units are fixed.
  var editor: SessionEditor?
  /// Returns the current frame; nil while nothing renders.
  var clock: @Sendable () -> SessionClock? = { nil }
  /// Work under way.
  var late = LateWork()
  var time: any SessionTime = MachineTime()
  /// Changes that wait for their frames.
  var agenda = SessionAgenda()
  /// Releases that had no room.
  var pendingReleases = PendingReleases()

  /// Returns the current units.
  var running: @Sendable () -> [(id: String, unit: AudioUnit)] {
    { [editor, units] in editor?.units ?? units }
  }

  /// Maker of edits of the current units.
  var maker: EditMaker {
    EditMaker(
      history: history, running: running, editor: editor, store: store, clock: clock,
      rendersNow: sampleRate != nil)
  }

  /// Outcome of a command.
  enum Outcome {
    case done(SessionAnswer)
    /// The command is done, and its answer is known soon.
    case soon(@Sendable () async -> Result<SessionAnswer, SessionCommandError>)
    /// The command is valid. Its work takes time, and must not run on the session's thread.
    case later(Late)
  }

  /// Work of a command that takes time.
  struct Late {
    /// Description of the work, for status requests.
    let text: String
    let claims: Claims
    let work: @Sendable () async -> Result<SessionAnswer, SessionCommandError>
  }

  /// - Thread: [control]
  func execute(_ command: SessionCommand) throws(SessionCommandError) -> Outcome {
    guard late.hasRoom || command.effect == .atOnce else {
      throw SessionCommandError(
        "\(LateWork.most) changes are under way already",
        accepted: "the same later; auricle ctl status tells what is pending")
    }
    switch command {
    case .hello: throw SessionCommandError("only a client of the session's socket can say hello")
    case .list(nil): return .done(.units(units.map { UnitReading($0.unit, id: $0.id) }))
    case .list(let path?):
      return .done(.parameters(try readings(below: [path])))
    case .get(let path):
      let (id, parameter) = try parameter(at: path)
      return .done(.parameter(ParameterReading(parameter, of: id, hasDisplay: true)))
    case .set(let path, let value, let ramp, let frame, let reportsFrame):
      if try postpone(command, to: frame) {
        return .done(reportsFrame ? frame.map { .frame($0) } ?? .done : .done)
      }
      if ramp == nil, frame == nil, let late = try setLate(path, to: value) { return late }
      let start = try set(path, to: value, rampMilliseconds: ramp, frame: frame)
      return reportsFrame ? reportFrame(start) : .done(.done)
    case .gesture(let path, let isOn, let others):
      var paths: Set<String> = []
      for path in [path] + others {
        let (id, parameter) = try parameter(at: path)
        paths.insert(SessionPath(unit: id, keyPath: parameter.keyPath).text)
      }
      history.gesture(paths, isOn: isOn)
      return .done(.done)
    case .watch(let paths, let meters, _, let midi, let spectra, let scopes):
      for id in meters + midi where id != SessionCommand.allUnits { _ = try unit(id) }
      let seen = Set(spectra + scopes)
      for id in seen { _ = try unit(id) }
      guard seen.count <= SpectrumReading.mostUnits else {
        throw SessionCommandError(
          "spectra of \(seen.count) units",
          accepted: "the names of at most \(SpectrumReading.mostUnits) units")
      }
      let all = paths.contains(SessionCommand.allUnits) ? units.map(\.id) : []
      return .done(
        .parameters(
          try readings(below: all + paths.filter { $0 != SessionCommand.allUnits })))
    case .bypass(let id, let isOn):
      try bypass(id, isOn: isOn)
      return .done(.done)
    case .preset(let id, let action): return try preset(action, of: id)
    case .soundFont(let id, let file, let bank, let program):
      return try load(file, bank: bank, program: program, into: id)
    case .entry(let id, let entry, let frame):
      return try postpone(command, to: frame)
        ? .done(.done) : select(entry, of: id, frame: frame)
    case .midi(let id, let bytes, let frame):
      try play(bytes, at: id, frame: frame)
      return .done(.done)
    case .choices(let component): return try choices(of: component)
    case .response(let id, let points): return .done(try response(of: id, at: points))
    case .view(let id, let available): return try view(of: id, available)
    case .waveform(let id): return try waveform(of: id)
    case .connect, .disconnect, .add, .replace, .remove, .place, .map, .unmap:
      return try restructure([command])
    case .together(let commands, let frame): return try together(commands, frame: frame)
    case .learn: throw SessionCommandError("only a session that runs can learn")
    case .mappings: return .done(.mappings(mappingReadings))
    case .scene(let action): return try scene(action)
    case .panic:
      panic()
      return .done(.done)
    case .journal(let frame, let number):
      return .done(.journal(history.journal.reading(since: frame, from: number)))
    case .status: return .done(.status(status()))
    case .save(let file): return try save(to: file)
    case .undo(let steps, let change):
      return try takeBack(steps, to: change, isUndo: true)
    case .redo(let steps): return try takeBack(steps, isUndo: false)
    }
  }

  private func bypass(_ id: String, isOn: Bool) throws(SessionCommandError) {
    let before = try unit(id).shouldBypassEffect
    let step = SessionStep(.bypass, of: id, before: before, after: isOn)
    if before != isOn {
      try maker.commit(step)
    } else {
      // A bypass of a scene may be scheduled.
      do { try maker.atOnce.make(step.edits) } catch { throw SessionCommandError(error) }
    }
  }

  /// Ends all sounds of each unit when the next cycle begins. A kernel's reset does so in one step,
  /// tails included. MIDI chains send note-offs and pedal releases for all they have begun.
  private func panic() {
    agenda.removeAll()
    pendingReleases.removeAll()
    for (_, unit) in units {
      unit.discardScheduledEvents()
      unit.reset()
    }
    history.journal.add("panic", path: "", units.first.map { .init(resetOf: $0.unit) } ?? .none)
    // After the units: by the time it is seen, no unit sends anything that it had begun before.
    endOutside()
  }

  func unit(_ id: String) throws(SessionCommandError) -> AudioUnit {
    guard let found = units.first(where: { $0.id == id }) else {
      throw .unknown("unit", id, in: "this session", accepted: units.map(\.id))
    }
    return found.unit
  }
}
