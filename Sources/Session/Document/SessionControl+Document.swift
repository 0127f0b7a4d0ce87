// Saving a running session, and taking changes back.

import Configuration
import Foundation
import SessionModel
import UnitModel

extension SessionControl {
  // MARK: Saving

  func save(to path: String?) throws(SessionCommandError) -> Outcome {
    guard let store else {
      throw SessionCommandError("this session cannot be saved: it was made by a program")
    }
    // Of one moment, on the thread on which the session changes; what is under way is not in it.
    let (history, point, origin) = (history, history.point, store.origin)
    let (late, units) = (late, running())
    return later("save", Claims([.file])) {
      let document = SessionDocument(origin, units: units) { history.target(of: $0) }
      let saved = try store.write(document, of: origin, to: path)
      if saved.file == origin.file?.standardizedFileURL {
        store.didSave(saved, of: origin)
      } else {
        // Units find their files from another place: none may be on its way with the former one.
        await late.holding(Claims([.structure])) { store.didSave(saved, of: origin) }
      }
      history.didSave(point)
      return .saved(saved.reading)
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
    let frameToCome = isToCome ? frame : nil
    history.record(
      SessionStep(parameter, of: id, before: before, after: after, frame: frameToCome), at: start)
    let milliseconds = rampMilliseconds + self.milliseconds(until: frameToCome)
    if milliseconds > 0 { history.startRamp(of: place, to: after, milliseconds: milliseconds) }
    return start
  }

  /// Answers with a frame once a cycle has told it, or without one after a second.
  func tell(_ start: ChangeFrame) -> Outcome {
    let (clock, time) = (clock, time)
    return .soon {
      let end = time.now + .seconds(1)
      var frame = start.settled
      while !frame.isSettled, let now = clock(), time.now < end {
        try? await time.sleep(for: .seconds(max(Double(now.period) / now.sampleRate, 0.001)))
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
    return frame > clock()?.frame ?? status().frame ?? 0
  }

  /// How long it is until a frame; 0 for one that has passed, and for none.
  func milliseconds(until frame: Int64?) -> Double {
    guard let frame, let now = clock() else { return 0 }
    return max(0, Double(frame - now.frame) / now.sampleRate * 1000)
  }
}
