// What was changed in a running session, to be taken back.

import Configuration
import Foundation
import SessionModel
import Synchronization
import UnitModel

/// The last changes by commands, and whether they are saved.
///
/// Several values of one parameter by one author, each within a second of the one before, are one
/// step: a fader that is moved, also while others are. What is beyond the capacity is forgotten,
/// the oldest first.
package final class SessionHistory: Sendable {
  /// How many steps can be taken back.
  static let capacity = 10_000
  /// How many bytes all steps together may hold, about, with the units that come back by them and
  /// are not there.
  static let maximumBytes = 64 << 20
  /// Within what time values of one parameter are one step.
  private let gesture: Duration
  private let time: any SessionTime

  init(gesture: Duration = .seconds(1), time: any SessionTime = MachineTime()) {
    (self.gesture, self.time) = (gesture, time)
  }

  /// All that was done, also what was taken back.
  let journal = SessionJournal()

  private struct State {
    private(set) var steps: [SessionStep] = []
    /// That all of them hold together, about.
    private(set) var byteCount = 0
    var undone: [SessionStep] = []
    var units = KeptUnits()
    /// That of the state before the first step.
    var base = 0
    /// The one that is saved; the start counts as saved.
    var saved = 0
    var lastNumber = 0
    /// When and by whom the last values were set, by path, of the steps at the end that are values.
    var lastSets: [String: (time: ContinuousClock.Instant, author: ChangeAuthor)] = [:]
    /// How often controllers were seen to move parameters, and program changes to select entries,
    /// and how often that was when the session was saved.
    var played = 0
    var savedPlayed = 0
    var ramps: [SessionPath: (target: Float, end: ContinuousClock.Instant)] = [:]

    /// Stands for the session as it is.
    var current: Int { steps.last?.number ?? base }

    mutating func append(_ step: SessionStep) {
      steps.append(step)
      byteCount += step.byteCount
    }

    /// Puts a part before the others of a step, which is another one from then on.
    mutating func extend(at place: Int, with part: SessionStep) {
      lastNumber += 1
      byteCount -= steps[place].byteCount
      steps[place].number = lastNumber
      steps[place].insert(part.edits)
      steps[place].byteCount = steps[place].size
      byteCount += steps[place].byteCount
    }

    mutating func remove(at place: Int) -> SessionStep {
      let step = steps.remove(at: place)
      byteCount -= step.byteCount
      return step
    }

    /// Forgets the oldest ones beyond the capacity, and some more, so that this is not done for
    /// each that comes.
    mutating func forget() {
      func isBeyond(_ part: Int) -> Bool {
        steps.count > capacity / 16 * part
          || byteCount + units.bytes.count > maximumBytes / 16 * part
      }
      guard isBeyond(16) else { return }
      while isBeyond(15), steps.count > 1 {
        // Units go with the last step that names them.
        let count = max(1, steps.count / 64)
        base = steps[count - 1].number
        byteCount -= steps[..<count].reduce(0) { $0 + $1.byteCount }
        steps.removeFirst(count)
      }
    }
  }

  private let state = Mutex(State())

  /// Forgets what is more than may be held.
  func forget() { state.withLock { $0.forget() } }

  /// What can be taken back and made again holds so much, about, with the units that are not there.
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

  /// Whether something would be lost that commands have changed, or that was played.
  var isUnsaved: Bool {
    state.withLock { $0.current != $0.saved || $0.played != $0.savedPlayed }
  }

  /// A state of the session, for `didSave`.
  struct Point: Sendable, Equatable {
    fileprivate let number: Int
    fileprivate let played: Int
  }

  /// Stands for the session as it is.
  var point: Point { state.withLock { Point(number: $0.current, played: $0.played) } }

  /// Notes that the session was saved as it was at a point.
  func didSave(_ point: Point) {
    state.withLock { state in
      (state.saved, state.savedPlayed) = (point.number, point.played)
      state.lastSets = [:]
    }
  }

  /// Notes that a controller has moved a parameter: a value that comes next is another step.
  func notePlayed(_ path: String) {
    state.withLock { state in
      state.played += 1
      state.lastSets[path] = nil
    }
  }

  /// Notes that program changes have selected entries of a unit: values that come next are other
  /// steps.
  ///
  /// - Parameter keyPaths: those of the parameters that the entries set.
  func notePlayed(entryOf unit: String, setting keyPaths: Set<String>) {
    state.withLock { state in
      state.played += 1
      for path in keyPaths.map({ SessionPath(unit: unit, keyPath: $0) }) {
        state.lastSets[path.text] = nil
        state.ramps[path] = nil
      }
    }
  }

  /// Notes that the session, as it is, is saved nowhere.
  func didRecover() { state.withLock { $0.saved = -1 } }

  // MARK: Ramps

  /// Notes that a parameter is on its way.
  func startRamp(of path: SessionPath, to target: Float, milliseconds: Double) {
    state.withLock { state in
      let now = time.now
      state.ramps = state.ramps.filter { $0.value.end > now }
      state.ramps[path] = (target, now + .milliseconds(Int64(milliseconds) + 100))
    }
  }

  /// The value that a parameter is moved to, nil for one that rests.
  func target(of path: SessionPath) -> Float? {
    state.withLock { state in
      guard let ramp = state.ramps[path], ramp.end > time.now else { return nil }
      return ramp.target
    }
  }

  // MARK: Recording

  /// - Parameters:
  ///   - frame: when it takes effect.
  ///   - isTold: whether the journal has it already.
  ///   - isSaved: whether a session that is saved is still so with it.
  /// - Returns: the step as it is kept.
  @discardableResult
  func record(
    _ step: SessionStep, at frame: ChangeFrame = .none, isTold: Bool = false,
    isSaved: Bool = false
  ) -> SessionStep {
    if !isTold { journal.add(step.text, path: step.path, frame) }
    let (now, author) = (time.now, ChangeAuthor.current)
    return state.withLock { state in
      state.undone = []
      Self.endRamps(&state, of: step)
      let staysSaved = isSaved && state.saved == state.current
      var step = step
      if step.isValue, let last = state.lastSets[step.path], last.author == author,
        now - last.time < gesture,
        let place = state.steps.lastIndex(where: { $0.path == step.path && $0.isValue })
      {
        // Undone first is what was moved last.
        step = step.following(state.remove(at: place))
      }
      if step.isChange {
        state.lastNumber += 1
        step.number = state.lastNumber
      } else {
        step.number = state.current
      }
      step.byteCount = step.size
      if !step.isValue { state.lastSets = [:] }
      if step.isValue { state.lastSets[step.path] = (now, author) }
      state.append(step)
      state.forget()
      if staysSaved { state.saved = state.current }
      return step
    }
  }

  /// Makes a change part of a step, before all else of it.
  ///
  /// - Parameter step: as it was recorded; where it is taken back already, or nil, the part is a
  ///   step by itself.
  func extend(_ step: SessionStep?, with part: SessionStep, at frame: ChangeFrame) {
    journal.add(part.text, path: part.path, frame)
    let isDone = state.withLock { state in
      guard let step, let place = state.steps.lastIndex(where: { $0.isSame(as: step) }) else {
        return false
      }
      state.extend(at: place, with: part)
      return true
    }
    if !isDone { record(part, at: frame, isTold: true) }
  }

  private static func endRamps(_ state: inout State, of step: SessionStep) {
    for edit in step.edits {
      switch edit {
      case .value(let value): state.ramps[value.path] = nil
      case .sound(let unit, let from, let to, _) where from.hasValues || to.hasValues:
        for path in state.ramps.keys where path.unit == unit { state.ramps[path] = nil }
      case .sound, .bypass, .transportReset, .structure: break
      }
    }
  }

  /// Records what cannot be taken back, so that nothing else is in its place.
  ///
  /// - Parameter isChange: whether the session is another one by it.
  func recordFixed(
    _ what: String, path: String, isChange: Bool = false, at frame: ChangeFrame = .none
  ) {
    record(SessionStep(fixed: what, path: path, isChange: isChange), at: frame)
  }

  /// The values of a unit that have become steps since a point, by key path.
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

  /// How many steps there are to take back and to make again.
  var counts: (undo: Int, redo: Int) { state.withLock { ($0.steps.count, $0.undone.count) } }

  /// The step that is taken back next, or made again.
  func next(isUndo: Bool) -> SessionStep? {
    state.withLock { isUndo ? $0.steps.last : $0.undone.last }
  }

  /// Whether a step is the one that is taken back next, or made again.
  func isNext(_ step: SessionStep, isUndo: Bool) -> Bool {
    next(isUndo: isUndo)?.isSame(as: step) == true
  }

  /// Leaves a step out from then on that cannot be taken back.
  func leaveOut(_ step: SessionStep) {
    state.withLock { state in
      guard state.steps.last?.isSame(as: step) == true else { return }
      _ = state.remove(at: state.steps.count - 1)
      // What was saved does not come back by undoing then.
      if step.isChange { state.saved = -1 }
    }
  }

  /// Notes that a step was taken back.
  func didUndo(_ step: SessionStep) {
    state.withLock { state in
      state.lastSets = [:]
      // A command may have come in between.
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

  /// Notes that a step was made again.
  func didRedo(_ step: SessionStep) {
    state.withLock { state in
      // A command that came in between ends what can be made again.
      guard state.undone.last?.number == step.number else { return }
      state.undone.removeLast()
      state.append(step)
      state.lastSets = [:]
      Self.endRamps(&state, of: step)
    }
  }
}
