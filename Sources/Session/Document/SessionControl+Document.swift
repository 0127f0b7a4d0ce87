// Saving a running session, and taking changes back.

import Configuration
import Foundation
import UnitModel

extension SessionControl {
  // MARK: Saving

  func save(to path: String?) throws(SessionCommandError) -> Outcome {
    guard let store else {
      throw SessionCommandError("this session cannot be saved: it was made by a program")
    }
    let (history, running) = (history, running)
    // Behind what is still being loaded.
    return later {
      let units = running()
      let number = history.current
      let document = store.document(units: units) { history.target(of: $0) }
      let reading = try store.save(document, to: path)
      history.didSave(number)
      return .saved(reading)
    }
  }

  // MARK: Recording

  /// Records what a command sets a parameter to.
  /// - Returns: when that takes effect.
  func record(
    _ path: String, rampMilliseconds: Double = 0, frame: Int64? = nil,
    _ set: () throws(SessionCommandError) -> Float
  ) throws(SessionCommandError) -> ChangeFrame {
    let (id, parameter) = try parameter(at: path)
    let place = SessionPath(unit: id, keyPath: parameter.keyPath)
    let before = history.target(of: place) ?? parameter.value
    let isToCome = isToCome(frame)
    let mark = ChangeMark(try unit(id))
    let after = try set()
    // A frame may be of the cycle that runs: the next one takes it then.
    let start = mark.frame(notBefore: frame ?? 0, orElse: history.journal.next)
    guard !isToCome else {
      history.recordFixed(
        "\(place.text) to \(parameter.string(fromValue: after)) on frame \(frame ?? 0)",
        path: place.text, isChange: true, at: start)
      return start
    }
    history.record(SessionStep(parameter, of: id, before: before, after: after), at: start)
    if rampMilliseconds > 0 {
      history.startRamp(of: place, to: after, milliseconds: rampMilliseconds)
    }
    return start
  }

  /// Answers with a frame once a cycle has told it, or without one after a second.
  func tell(_ start: ChangeFrame) -> Outcome {
    let clock = clock
    return .soon {
      let end = ContinuousClock.now + .seconds(1)
      var frame = start.settled
      while !frame.isSettled, let now = clock(), ContinuousClock.now < end {
        try? await Task.sleep(for: .seconds(max(Double(now.period) / now.sampleRate, 0.001)))
        frame = frame.settled
      }
      return .success(frame.number.map { .frame($0) } ?? .done)
    }
  }

  func bypass(_ unit: AudioUnit, _ id: String, isOn: Bool) {
    let before = unit.shouldBypassEffect
    // What the former one became nobody knows behind it.
    history.journal.settle()
    let mark = ChangeMark(unit)
    unit.shouldBypassEffect = isOn
    guard before != isOn else { return }
    history.record(
      SessionStep(bypassOf: id, before: before, after: isOn), at: mark.frame(orElse: .none))
  }

  /// Whether a frame has not been rendered yet.
  func isToCome(_ frame: Int64?) -> Bool {
    guard let frame else { return false }
    return frame > status().frame ?? 0
  }

  // MARK: Taking back

  /// Takes the last steps back, or makes them again, one after the other.
  func takeBack(_ steps: Int, isUndo: Bool) throws(SessionCommandError) -> Outcome {
    guard steps > 0 else { throw SessionCommandError("\(steps) steps", accepted: "1 or more") }
    let (history, running, editor, store) = (history, running, editor, store)
    let rendersNow = sampleRate != nil
    // Behind what is still being loaded.
    return later {
      let count = isUndo ? history.counts.undo : history.counts.redo
      guard steps <= count else {
        let verb = isUndo ? "undo" : "redo"
        throw SessionCommandError(
          count == 0 ? "there is nothing to \(verb)" : "there are not \(steps) steps to \(verb)",
          accepted: count == 0 ? nil : "1 to \(count)")
      }
      var done: [ChangeReading] = []
      do {
        for _ in 0..<steps {
          // Of several the first.
          var frame: ChangeFrame?
          func restore(_ step: SessionStep) async throws {
            for part in isUndo ? step.parts.reversed() : step.parts { try await restore(part) }
            if !step.parts.isEmpty { return }
            guard let structure = step.kept else {
              history.journal.settle()
              let mark = running().first { $0.id == step.unit }.map { ChangeMark($0.unit) }
              try step.restore(running(), isUndo: isUndo, rendersNow: rendersNow)
              frame = frame ?? mark?.frame(orElse: history.journal.next)
              return
            }
            guard let editor, let store else { return }
            let wanted = try await history.wake(
              isUndo ? structure.before : structure.after, store.origin)
            let start = try await editor.edit(wanted)
            frame = frame ?? start.map { .known($0) }
            history.letRest(but: editor.units, store.origin)
          }
          let step =
            isUndo ? try await history.takeBack(restore) : try await history.redo(restore)
          guard let step else { break }
          history.journal.add(
            step.text, path: step.path, frame ?? .none, by: isUndo ? .undo : .redo)
          done.append(ChangeReading(path: step.path, text: step.text, isUndone: isUndo))
        }
      } catch {
        let before =
          done.isEmpty ? "" : "; done before: " + done.map(\.text).joined(separator: ", ")
        throw SessionCommandError("\(error)\(before)")
      }
      return .changes(done)
    }
  }
}
