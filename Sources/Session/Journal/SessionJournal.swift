// Journal of the changes in a running session, with their authors and frames.

import Configuration
import FoundationEssentials
import SessionModel
import Synchronization

/// The last changes, bounded in number and size.
final class SessionJournal: Sendable {
  static let capacity = 16_384
  /// Maximum number of changes in one reading.
  static let maximumReported = 1_000
  static let maximumTextLength = 500
  /// Maximum number of later changes while a change still waits for its frame.
  static let maximumOpen = 512

  private struct Entry {
    let number: Int
    let server: Int
    let time: Double
    let author: ChangeAuthor
    let path: String
    let text: String
    /// The command line of the request that made it; nil if an earlier change of the request has
    /// it.
    let line: ChangeCommand?
    var frame: ChangeFrame
    /// Frame at which a gesture ends; nil for a change at one frame.
    let lastFrame: Int64?
  }

  private struct State {
    /// Ring of entries: number n is at index n modulo the capacity.
    var entries: [Entry] = []
    var count = 0
    /// Number of the first entry whose frame may still be unknown.
    var firstOpen = 0
    var server = 0
    /// Returns the server's current frame; nil while nothing renders.
    var clock: @Sendable () -> SessionClock? = { nil }
    var hasClock = false
  }

  private let state = Mutex(State())

  /// Follows the frames of a server.
  /// - Parameter clock: nil once it has gone.
  func follow(_ clock: (@Sendable () -> SessionClock?)?) {
    state.withLock { state in
      Self.settle(&state, isLast: true)
      if clock != nil, state.hasClock { state.server += 1 }
      if clock != nil { state.hasClock = true }
      state.clock = clock ?? { nil }
    }
  }

  /// Number of the current or last server: frames count from 0 at each.
  var serverNumber: Int { state.withLock { $0.server } }

  /// Number of changes since the session began.
  var changeCount: Int { state.withLock { $0.count } }

  /// First frame of the next cycle.
  var next: ChangeFrame {
    let clock = state.withLock { $0.clock }
    return clock().map { .known($0.frame + Int64($0.period)) } ?? .none
  }

  /// - Parameters:
  ///   - lastFrame: the frame at which it ends, if it takes time.
  ///   - line: the command line that makes it again.
  /// - Returns: its number.
  @discardableResult
  func add(
    _ text: String, path: String, _ frame: ChangeFrame, to lastFrame: Int64? = nil,
    by author: ChangeAuthor = .current, line: ChangeCommand? = .current,
    time: Double = Date().timeIntervalSince1970
  ) -> Int {
    let path = printable(path, Self.maximumTextLength)
    let text = printable(text, Self.maximumTextLength)
    return state.withLock { state in
      let entry = Entry(
        number: state.count, server: state.server, time: time, author: author, path: path,
        text: text, line: line?.take(), frame: frame.settled, lastFrame: lastFrame)
      if state.entries.count < Self.capacity {
        state.entries.append(entry)
      } else {
        state.entries[state.count % Self.capacity] = entry
      }
      state.count += 1
      return entry.number
    }
  }

  /// Reads the frames of changes that cycles have taken since. Called more often than a unit
  /// forgets them.
  func settle() { state.withLock { Self.settle(&$0, isLast: false) } }

  /// - Parameter isLast: whether frames that are unknown now stay unknown.
  private static func settle(_ state: inout State, isLast: Bool) {
    var first = state.count
    var number = max(state.firstOpen, state.count - state.entries.count)
    while number < state.count {
      let place = number % Self.capacity
      if !state.entries[place].frame.isSettled {
        state.entries[place].frame = state.entries[place].frame.settled
        if !state.entries[place].frame.isSettled {
          if isLast || state.count - number > Self.maximumOpen {
            state.entries[place].frame = .none
          } else {
            first = min(first, number)
          }
        }
      }
      number += 1
    }
    state.firstOpen = first
  }

  /// Returns the changes from a frame on, and those without a known frame, the oldest first.
  ///
  /// - Parameters:
  ///   - frame: a frame of the current or last server; nil for any.
  ///   - number: the number of the first change; nil for any. Without both, the last changes are
  ///     returned.
  func reading(since frame: Int64?, from number: Int? = nil) -> JournalReading {
    state.withLock { state in
      Self.settle(&state, isLast: false)
      let kept = state.entries.count
      let all = (state.count - kept..<state.count).map { state.entries[$0 % Self.capacity] }
      let wanted = all.filter { entry in
        if let number, entry.number < number { return false }
        guard let frame else { return true }
        return entry.server == state.server && entry.frame.number.map { $0 >= frame } ?? true
      }
      let reported =
        frame == nil && number == nil
        ? wanted.suffix(Self.maximumReported) : wanted.prefix(Self.maximumReported)
      return JournalReading(
        changes: reported.map {
          JournalReading.Change(
            number: $0.number, frame: $0.frame.number, lastFrame: $0.lastFrame, server: $0.server,
            time: $0.time, source: $0.author.source, client: $0.author.client, path: $0.path,
            text: $0.text, command: $0.line?.textIfDone)
        }, forgotten: state.count - kept, unreported: wanted.count - reported.count)
    }
  }
}
