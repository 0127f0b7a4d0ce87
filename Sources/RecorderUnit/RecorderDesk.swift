// The thread that writes what a recorder captures.

import Foundation
import Synchronization
import UnitModel

/// Has takes written, a few times in a second and whenever somebody asks.
final class RecorderDesk: Sendable {
  private struct State: ~Copyable, Sendable {
    nonisolated(unsafe) var takes: Takes?
    var isClosed = false
    var hasThread = false
  }

  /// Held while the disk is written to.
  private let state = Mutex(State())
  private let news = TakeNews()
  private let hasEnded = DispatchSemaphore(value: 0)
  private let writesByItself: Bool

  init(writesByItself: Bool) { self.writesByItself = writesByItself }

  /// Ends what was written before, and goes on with other takes.
  func begin(_ makeTakes: (TakeNews) -> Takes) {
    let isFirst = state.withLock { state in
      state.takes?.close()
      state.takes = makeTakes(news)
      defer { state.hasThread = writesByItself }
      return writesByItself && !state.hasThread
    }
    if !isFirst { return }
    let thread = Thread { [self] in
      while !step() { usleep(20_000) }
      hasEnded.signal()
    }
    thread.name = "recorder"
    thread.start()
  }

  /// - Returns: whether it was closed.
  private func step() -> Bool {
    state.withLock { state in
      state.takes?.drain()
      return state.isClosed
    }
  }

  func drain() { _ = step() }

  func finish() { state.withLock { $0.takes?.close() } }

  /// Never waits for a disk.
  func takeNews() -> [UnitNews] { news.takeAll() }

  /// Ends it all, what was written too.
  func close() {
    let hadThread = state.withLock { state in
      state.takes?.close()
      state.takes = nil
      state.isClosed = true
      return state.hasThread
    }
    if hadThread { hasEnded.wait() }
  }
}

/// What is to be told of takes.
final class TakeNews: Sendable {
  private let list = Mutex<[UnitNews]>([])

  func add(_ kind: UnitNews.Kind, _ text: String) {
    list.withLock { $0.append(UnitNews(kind, text)) }
  }

  func takeAll() -> [UnitNews] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
