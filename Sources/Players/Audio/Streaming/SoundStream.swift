// A file that is read during playback.

import MediaFiles
import Platform
import Realtime
import Synchronization
import UnitModel

/// Reads the blocks requested by the render thread.
final class SoundStream: @unchecked Sendable {
  /// Reads for all streams. Its pause is short compared to a block, long enough to cost nothing.
  private static let worker = SharedWorker<SoundStream>("disk", pause: 10_000) {
    $0.serve() ? .busy : .idle
  }

  let played: UnsafeMutablePointer<PlayedStream>
  let line: StreamQueue
  private let name: String
  /// Locked by the reading thread.
  let reading: Mutex<Reading>
  private let news = Mutex<[UnitNotice]>([])

  /// State used by one thread at a time.
  struct Reading: @unchecked Sendable {
    fileprivate let reader: ConvertedReader
    fileprivate var hasReportedEnd = false
    fileprivate var hasReportedError = false
  }

  /// Reads the first blocks. The thread that serves all streams reads the rest.
  ///
  /// - Thread: [control]
  init(_ reader: ConvertedReader, name: String) throws(AudioClipError) {
    reading = Mutex(Reading(reader: reader))
    self.name = name
    let (frames, rest, parts) = reader.pass
    let channels = reader.channelCount
    guard
      let line = StreamQueue(
        channelCount: channels, frameCount: reader.frameCount,
        pass: PassLength(frames: frames, rest: rest, parts: parts))
    else {
      let samples = StreamQueue.capacity(channelCount: channels)
      throw .outOfMemory(name: name, bytes: samples * MemoryLayout<Float>.size)
    }
    self.line = line
    played = .allocate(capacity: 1)
    played.initialize(to: PlayedStream(line))
    try reading.withLock { (reading) throws(AudioClipError) in
      for block in 0..<min(StreamQueue.headBlocks, line.blockCount) {
        // A sound whose first blocks cannot be read is not played at all.
        try read(block, into: line.head(block), &reading)
      }
    }
    Self.worker.add(self)
  }

  deinit {
    played.pointee.deallocate()
    played.deallocate()
    line.deallocate()
  }

  /// Count of frames that were not loaded in time.
  var missedFrames: Int { line.missedFrames }

  /// Returns the notices of errors since the last call.
  func takeNews() -> [UnitNotice] {
    news.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// Reads a requested block.
  ///
  /// - Returns: whether there was a request.
  /// - Thread: [worker], or the thread of a host without a clock
  func serve() -> Bool {
    reading.withLock { reading in
      guard let request = line.requests.tryReceive() else { return false }
      var block = request.block
      if request.jumps == line.jumps {
        do throws(AudioClipError) { try read(block, into: line.slot(request.slot), &reading) } catch
        {
          if !reading.hasReportedError { report("\(error); what cannot be read is silent") }
          reading.hasReportedError = true
        }
      } else {
        block = -1
      }
      // The ring of answers is as large as that of requests.
      _ = line.answers.trySend(
        StreamedBlock(slot: request.slot, block: block, jumps: request.jumps))
      return true
    }
  }

  private func read(
    _ block: Int, into memory: UnsafeMutablePointer<Float>, _ reading: inout Reading
  ) throws(AudioClipError) {
    let frame = block * StreamQueue.blockFrames
    let count = min(StreamQueue.blockFrames, line.frameCount - frame)
    _ = try reading.reader.read(
      from: frame, into: (0..<line.channelCount).map { memory + $0 * StreamQueue.blockFrames },
      count: count)
    if let seconds = reading.reader.endedAfter, !reading.hasReportedEnd {
      reading.hasReportedEnd = true
      report("\(name) ends after \(format(seconds)) s, before its header says so: silence follows")
    }
  }

  private func report(_ text: String) { news.withLock { $0.append(UnitNotice(.failed, text)) } }

  private func format(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}
