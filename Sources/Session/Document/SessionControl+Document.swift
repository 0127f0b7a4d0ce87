// Saving a running session, and answers with frames.

import Configuration
import FoundationEssentials
import SessionModel
import UnitModel

extension SessionControl {
  // MARK: Saving

  func save(to path: String?) throws(SessionCommandError) -> Outcome {
    guard let store else {
      throw SessionCommandError("this session cannot be saved: it was made by a program")
    }
    // A state of one moment, read on the thread that changes the session. Changes under way are not
    // in it.
    let (history, point, origin) = (history, history.point, store.origin)
    let (late, units) = (late, running())
    return later("save", Claims([.file])) {
      let document = SessionDocument(origin, units: units) { history.target(of: $0) }
      let saved = try store.write(document, of: origin, to: path)
      if saved.file == origin.file?.standardizedFileURL {
        store.didSave(saved, of: origin)
      } else {
        // Units' file names get another base: no unit may be in the making with the former one.
        await late.holding(Claims([.structure])) { store.didSave(saved, of: origin) }
      }
      history.didSave(point)
      return .saved(saved.reading)
    }
  }

  // MARK: Answering

  /// Answers with a frame once a cycle has reported it, or without one after 1 s.
  func reportFrame(_ start: ChangeFrame) -> Outcome {
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

  /// Whether a frame has not been rendered yet.
  func isToCome(_ frame: Int64?) -> Bool {
    guard let frame else { return false }
    return frame > clock()?.frame ?? status().frame ?? 0
  }
}
