// The thread that reads for all streams.

import Foundation
import Synchronization

/// Serves the streams in turn, a block each, while there are any.
final class StreamWorker: Sendable {
  static let shared = StreamWorker()

  private struct Attended: Sendable {
    var streams: [ObjectIdentifier: WeakStream] = [:]
    var hasThread = false
  }

  private struct WeakStream: Sendable {
    weak var stream: SoundStream?
  }

  private let attended = Mutex(Attended())

  /// - Thread: [control]
  func attend(to stream: SoundStream) {
    let isFirst = attended.withLock { attended in
      attended.streams[ObjectIdentifier(stream)] = WeakStream(stream: stream)
      defer { attended.hasThread = true }
      return !attended.hasThread
    }
    if !isFirst { return }
    let thread = Thread { [self] in while work() {} }
    thread.name = "disk"
    thread.start()
  }

  /// - Returns: whether streams remain; if not, the thread ends.
  private func work() -> Bool {
    var isBusy = false
    for entry in attended.withLock({ $0.streams.values.map(\.self) }) {
      if let stream = entry.stream, stream.serve() { isBusy = true }
    }
    let goesOn = attended.withLock { attended in
      attended.streams = attended.streams.filter { $0.value.stream != nil }
      attended.hasThread = !attended.streams.isEmpty
      return attended.hasThread
    }
    // Short compared to a block, long enough to cost nothing.
    if goesOn, !isBusy { usleep(10_000) }
    return goesOn
  }
}
