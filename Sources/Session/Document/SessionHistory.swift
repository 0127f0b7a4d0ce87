// Changes of a running session, for undo and redo.

import Configuration
import SessionModel
import Synchronization
import UnitModel

/// The last changes by commands, and whether they are saved.
///
/// Values of one parameter by one author, each within a second of the one before, are one step: a
/// moved fader, also while other faders move. So are those of all parameters in one gesture. Beyond
/// the capacity the oldest steps are forgotten.
package final class SessionHistory: Sendable {
  /// Maximum number of steps that can be undone.
  static let capacity = 10_000
  /// Approximate maximum size of all steps in bytes, with the released units that they can bring
  /// back.
  static let maximumBytes = 64 << 20
  /// Maximum time between values of one parameter in one step.
  private let gesture: Duration
  private let time: any SessionTime

  init(gesture: Duration = .seconds(1), time: any SessionTime = MachineTime()) {
    (self.gesture, self.time) = (gesture, time)
  }

  /// All changes, including those undone.
  let journal = SessionJournal()

  private struct State {
    private(set) var steps: [SessionStep] = []
    /// Approximate size of all steps, in bytes.
    private(set) var byteCount = 0
    var undone: [SessionStep] = []
    var units = KeptUnits()
    /// Number of the state before the first step.
    var base = 0
    /// Number of the last change of forgotten steps; nil if none is forgotten.
    var forgotten: Int?
    /// Number of the saved state; the start counts as saved.
    var saved = 0
    var lastNumber = 0
    /// Time and author of the last values, by path, of the steps at the end that are values.
    var lastSets: [String: (time: ContinuousClock.Instant, author: ChangeAuthor)] = [:]
    /// The gestures that have begun.
    var gestures: [(paths: Set<String>, author: ChangeAuthor)] = []
    /// Number of parameter moves by controllers and entry selections by program changes, now and
    /// when the session was saved.
    var played = 0
    var savedPlayed = 0
    var ramps: [SessionPath: (target: Float, end: ContinuousClock.Instant)] = [:]

    /// Number of the session's current state.
    var current: Int { steps.last?.number ?? base }

    mutating func append(_ step: SessionStep) {
      steps.append(step)
      byteCount += step.byteCount
    }

    /// Inserts a part before the edits of a step, and gives the step a new number.
    mutating func extend(at place: Int, with part: SessionStep) {
      lastNumber += 1
      byteCount -= steps[place].byteCount
      steps[place].number = lastNumber
      steps[place].insert(part.edits)
      steps[place].byteCount = steps[place].size
      byteCount += steps[place].byteCount
    }

    /// Returns the index of the step that a value continues; nil for none.
    ///
    /// - Parameter time: maximum time between values without a gesture.
    func joined(
      by value: SessionStep, of author: ChangeAuthor, at now: ContinuousClock.Instant,
      within time: Duration
    ) -> Int? {
      let gesture = gestures.first { $0.author == author && $0.paths.contains(value.path) }
      let paths = gesture?.paths ?? [value.path]
      let place = steps.lastIndex { $0.isValue && !paths.isDisjoint(with: $0.valuePaths) }
      guard let place else { return nil }
      let continues = steps[place].valuePaths.allSatisfy { path in
        guard paths.contains(path), let last = lastSets[path], last.author == author else {
          return false
        }
        return gesture != nil || now - last.time < time
      }
      return continues ? place : nil
    }

    mutating func remove(at place: Int) -> SessionStep {
      let step = steps.remove(at: place)
      byteCount -= step.byteCount
      return step
    }

    /// Forgets the oldest steps beyond the capacity, and some more, so that this is not done for
    /// each new step.
    mutating func forget() {
      func isBeyond(_ part: Int) -> Bool {
        steps.count > capacity / 16 * part
          || byteCount + units.bytes.count > maximumBytes / 16 * part
      }
      guard isBeyond(16) else { return }
      while isBeyond(15), steps.count > 1 {
        // Units are freed with the last step that names them.
        let count = max(1, steps.count / 64)
        (base, forgotten) = (steps[count - 1].number, steps[count - 1].lastChange)
        byteCount -= steps[..<count].reduce(0) { $0 + $1.byteCount }
        steps.removeFirst(count)
      }
    }
  }

  private let state = Mutex(State())

  /// Forgets the steps beyond the capacity.
  func forget() { state.withLock { $0.forget() } }

  /// Approximate size of all steps to undo and redo in bytes, with released units.
  var byteCount: Int {
    state.withLock { state in
      state.undone.reduce(state.byteCount + state.units.bytes.count) { $0 + $1.byteCount }
    }
  }

  func withUnits<Result: Sendable>(_ body: (inout KeptUnits) -> Result) -> Result {
    state.withLock { body(&$0.units) }
  }

  /// Whether commands have changed the session since it was saved or started.
  var isDirty: Bool { state.withLock { $0.current != $0.saved } }

  /// Whether there are unsaved changes, by commands or by playing.
  var isUnsaved: Bool {
    state.withLock { $0.current != $0.saved || $0.played != $0.savedPlayed }
  }

  /// A state of the session, for `didSave`.
  struct Point: Sendable, Equatable {
    fileprivate let number: Int
    fileprivate let played: Int
  }

  /// The session's current state.
  var point: Point { state.withLock { Point(number: $0.current, played: $0.played) } }

  /// Notes that the session was saved in its state at a point.
  func didSave(_ point: Point) {
    state.withLock { state in
      (state.saved, state.savedPlayed) = (point.number, point.played)
      state.lastSets = [:]
    }
  }

  /// Notes that a controller has moved a parameter. The next value begins another step.
  func notePlayed(_ path: String) {
    state.withLock { state in
      state.played += 1
      state.lastSets[path] = nil
    }
  }

  /// Notes that program changes have selected entries of a unit. The next values begin other steps.
  ///
  /// - Parameter keyPaths: the parameters that the entries set.
  func notePlayed(entryOf unit: String, setting keyPaths: Set<String>) {
    state.withLock { state in
      state.played += 1
      for path in keyPaths.map({ SessionPath(unit: unit, keyPath: $0) }) {
        state.lastSets[path.text] = nil
        state.ramps[path] = nil
      }
    }
  }

  /// Notes that the session's current state is saved nowhere.
  func didRecover() { state.withLock { $0.saved = -1 } }

  // MARK: Ramps

  /// Notes that a parameter begins a ramp.
  func startRamp(of path: SessionPath, to target: Float, milliseconds: Double) {
    state.withLock { state in
      let now = time.now
      state.ramps = state.ramps.filter { $0.value.end > now }
      state.ramps[path] = (target, now + .milliseconds(Int64(milliseconds) + 100))
    }
  }

  /// Returns the value that a parameter is moving to; nil if it rests.
  func target(of path: SessionPath) -> Float? {
    state.withLock { state in
      guard let ramp = state.ramps[path], ramp.end > time.now else { return nil }
      return ramp.target
    }
  }

  // MARK: Recording

  /// Begins or ends a gesture of the current author on a parameter, or on several that move
  /// together. Its values are one step, without those before and after it.
  func gesture(_ paths: Set<String>, isOn: Bool) {
    let author = ChangeAuthor.current
    state.withLock { state in
      let isEnding = { (one: (paths: Set<String>, author: ChangeAuthor)) in
        one.author == author && !one.paths.isDisjoint(with: paths)
      }
      for path in state.gestures.filter(isEnding).reduce(paths, { $0.union($1.paths) })
      where state.lastSets[path]?.author == author {
        state.lastSets[path] = nil
      }
      state.gestures.removeAll(where: isEnding)
      if isOn { state.gestures.append((paths, author)) }
    }
  }

  /// - Parameters:
  ///   - frame: when it takes effect.
  ///   - isReported: whether the journal already has it.
  ///   - isSaved: whether a saved session still counts as saved with it.
  /// - Returns: the recorded step.
  @discardableResult
  func record(
    _ step: SessionStep, at frame: ChangeFrame = .none, isReported: Bool = false,
    isSaved: Bool = false
  ) -> SessionStep {
    let change =
      isReported
      ? journal.changeCount - 1 : journal.add(step.text, path: step.path, frame)
    let (now, author) = (time.now, ChangeAuthor.current)
    return state.withLock { state in
      state.undone = []
      Self.endRamps(&state, of: step)
      let staysSaved = isSaved && state.saved == state.current
      var step = step
      let path = step.path
      if step.isValue, let place = state.joined(by: step, of: author, at: now, within: gesture) {
        // The value moved last is undone first.
        step = step.following(state.remove(at: place))
      }
      step.lastChange = change
      ChangeCommand.current?.join(step.mark)
      if step.isChange {
        state.lastNumber += 1
        step.number = state.lastNumber
      } else {
        step.number = state.current
      }
      step.byteCount = step.size
      if !step.isValue { state.lastSets = [:] }
      if step.isValue { state.lastSets[path] = (now, author) }
      state.append(step)
      state.forget()
      if staysSaved { state.saved = state.current }
      return step
    }
  }

  /// Makes a change part of a step, before its other edits.
  ///
  /// - Parameter step: the recorded step; if it is nil or already undone, the part is a separate
  ///   step.
  func extend(_ step: SessionStep?, with part: SessionStep, at frame: ChangeFrame) {
    journal.add(part.text, path: part.path, frame)
    let isDone = state.withLock { state in
      guard let step, let place = state.steps.lastIndex(where: { $0.isSame(as: step) }) else {
        return false
      }
      state.extend(at: place, with: part)
      return true
    }
    if !isDone { record(part, at: frame, isReported: true) }
  }

  private static func endRamps(_ state: inout State, of step: SessionStep) {
    for edit in step.edits {
      switch edit {
      case .value(let value): state.ramps[value.path] = nil
      case .sound(let unit, let from, let to, _) where from.hasValues || to.hasValues:
        for path in state.ramps.keys where path.unit == unit { state.ramps[path] = nil }
      case .sound, .switch, .structure: break
      }
    }
  }

  /// Records a change that cannot be undone, so that no other one is undone in its place.
  ///
  /// - Parameter isChange: whether it changes the session.
  func recordFixed(
    _ what: String, path: String, isChange: Bool = false, at frame: ChangeFrame = .none
  ) {
    record(SessionStep(fixed: what, path: path, isChange: isChange), at: frame)
  }

  /// Returns the values of a unit that were recorded since a point, by key path.
  func values(of unit: String, since point: Point) -> [String: Float] {
    state.withLock { state in
      var values: [String: Float] = [:]
      for step in state.steps.reversed() where step.number > point.number {
        for case .value(let value) in step.edits.reversed() where value.unit == unit {
          values[value.keyPath] = values[value.keyPath] ?? value.to
        }
      }
      return values
    }
  }

  // MARK: Taking back

  /// Numbers of steps to undo and to redo.
  var counts: (undo: Int, redo: Int) { state.withLock { ($0.steps.count, $0.undone.count) } }

  /// Returns the number of steps with changes after one of the journal; nil if some of them are
  /// forgotten. A step is one as a whole, also if it began before.
  func steps(after change: Int) -> Int? {
    state.withLock { state in
      if let forgotten = state.forgotten, forgotten > change { return nil }
      return state.steps.reversed().prefix { $0.lastChange > change }.count
    }
  }

  /// Returns the step that is undone or redone next; nil if there is none.
  func next(isUndo: Bool) -> SessionStep? {
    state.withLock { isUndo ? $0.steps.last : $0.undone.last }
  }

  /// Whether a step is the one that is undone or redone next.
  func isNext(_ step: SessionStep, isUndo: Bool) -> Bool {
    next(isUndo: isUndo)?.isSame(as: step) == true
  }

  /// Removes a step that cannot be undone, if it is the last.
  func leaveOut(_ step: SessionStep) {
    state.withLock { state in
      guard state.steps.last?.isSame(as: step) == true else { return }
      _ = state.remove(at: state.steps.count - 1)
      // Undo does not reach the saved state any more.
      if step.isChange { state.saved = -1 }
    }
  }

  /// Notes that a step was undone.
  func didUndo(_ step: SessionStep) {
    step.mark.isUndone.store(true, ordering: .relaxed)
    state.withLock { state in
      state.lastSets = [:]
      // A command may have been made in between.
      guard
        let place = state.steps.lastIndex(where: {
          $0.number == step.number && !$0.isFixed
        })
      else { return }
      let isLast = place == state.steps.count - 1
      _ = state.remove(at: place)
      if isLast { state.undone.append(step) }
      Self.endRamps(&state, of: step)
    }
  }

  /// Notes that a step was redone.
  func didRedo(_ step: SessionStep) {
    step.mark.isUndone.store(false, ordering: .relaxed)
    state.withLock { state in
      // A command made in between has ended redo.
      guard state.undone.last?.number == step.number else { return }
      state.undone.removeLast()
      state.append(step)
      state.lastSets = [:]
      Self.endRamps(&state, of: step)
    }
  }
}
