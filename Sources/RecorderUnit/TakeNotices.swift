// Notices, counts and marks of takes.

import FoundationEssentials
import Realtime
import Synchronization
import UnitModel

/// Notices, counts and the state of a recorder's takes. Its lock is never held during disk access.
///
/// - Thread: [any]
final class TakeNotices: Sendable {
  /// Counts of faults since the start.
  struct Counts: Sendable {
    var skippedFrames = 0
    var lostFrames = 0
    var lostMessages = 0
    var failedTakes = 0
  }

  private struct State {
    var list: [UnitNotice] = []
    var counts = Counts()
    var file: URL?
    var peak: Float = 0
    var noteCount = 0
    var freeBytes: Int?
    var marks: [(frame: FrameTime, text: String)] = []
  }

  private let state = Mutex(State())

  func add(_ kind: UnitNotice.Kind, _ text: String) {
    state.withLock { $0.list.append(UnitNotice(kind, text)) }
  }

  func takeAll() -> [UnitNotice] {
    state.withLock { state in
      defer { state.list = [] }
      return state.list
    }
  }

  var counts: Counts { state.withLock { $0.counts } }

  func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0.counts) } }

  /// The file of the current take; nil between takes.
  var file: URL? { state.withLock { $0.file } }

  /// - Parameter file: nil at the end of a take.
  func begin(_ file: URL?) {
    state.withLock { state in
      state.file = file
      state.peak = 0
      if file != nil { state.noteCount = 0 }
      state.marks = []
    }
  }

  var freeBytes: Int? { state.withLock { $0.freeBytes } }

  func note(freeBytes: Int?) { state.withLock { $0.freeBytes = freeBytes } }

  func note(peak: Float) { state.withLock { $0.peak = max($0.peak, peak) } }

  func takePeak() -> Float {
    state.withLock { state in
      defer { state.peak = 0 }
      return state.peak
    }
  }

  /// Count of notes in the current or last take.
  var noteCount: Int { state.withLock { $0.noteCount } }

  func noteNote() { state.withLock { $0.noteCount += 1 } }

  func mark(_ text: String, at frame: FrameTime) {
    state.withLock { if $0.file != nil { $0.marks.append((frame, text)) } }
  }

  func takeMarks() -> [(frame: FrameTime, text: String)] {
    state.withLock { state in
      defer { state.marks = [] }
      return state.marks
    }
  }
}
