// The thread that delivers a tap's buffers.

import Glibc
import Platform
import Realtime
import Synchronization

/// Makes buffers from a capture ring and delivers them.
final class TapWorker: Sendable {
  let bufferFrames: Int
  private let handler: TapHandler
  private let state = Mutex(State())

  private struct State: ~Copyable, Sendable {
    var reader: CaptureReader?
    var channels: [[Float]] = []
    /// Frame time of the next captured frame.
    var frame: FrameTime = 0
    var lostFrames = 0
    var thread: WorkThread?
    /// Complete buffers still to be delivered.
    var ready: [TapBuffer] = []
    /// The delivering thread; nil for none.
    var handing: pthread_t?
  }

  init(bufferFrames: Int, _ handler: @escaping TapHandler) {
    self.bufferFrames = bufferFrames
    self.handler = handler
  }

  /// Continues with another ring; drops an incomplete buffer.
  func begin(_ line: CaptureRing) {
    state.withLock { state in
      collect(&state)
      state.reader?.line.deallocate()
      state.reader = CaptureReader(line)
      state.channels = Array(repeating: [], count: line.channelCount)
      if state.thread == nil {
        state.thread = WorkThread("tap", pause: 5000) { [self] in drain() }
      }
    }
  }

  /// Delivers the complete buffers.
  func drain() {
    state.withLock { collect(&$0) }
    handOver()
  }

  /// Delivers all captured frames. The last buffer may be short.
  func finish() {
    state.withLock { state in
      collect(&state)
      finishBuffer(&state)
    }
    handOver()
  }

  func close() {
    let thread = state.withLock { state in
      collect(&state)
      state.reader?.line.deallocate()
      state.reader = nil
      return state.thread.take()
    }
    handOver()
    thread?.end()
  }

  /// Delivers the complete buffers in order, without holding a lock while the handler runs. Waits
  /// at most a second for another delivering thread.
  private func handOver() {
    let own = pthread_self()
    var waits = 1000
    while true {
      let other = state.withLock { state in
        let other = state.handing
        if other == nil { state.handing = own }
        return other
      }
      guard let other else { break }
      // Called by the handler, or during a slow one: the delivering thread also delivers these.
      if pthread_equal(other, own) != 0 || waits == 0 { return }
      waits -= 1
      usleep(1000)
    }
    while let buffer = takeReady() { handler(buffer) }
  }

  /// Returns the next complete buffer; nil ends this thread's delivery.
  private func takeReady() -> TapBuffer? {
    state.withLock { state in
      if !state.ready.isEmpty { return state.ready.removeFirst() }
      state.handing = nil
      return nil
    }
  }

  private func collect(_ state: inout State) {
    guard let line = state.reader?.line else { return }
    state.reader?.look()
    while let item = state.reader?.next() {
      switch item {
      case .frames(let count): take(count, from: line, &state)
      case .mark(let mark):
        switch mark.kind {
        case CaptureMark.begin: state.frame = mark.value
        case CaptureMark.loss: skip(Int(mark.value), &state)
        case CaptureMark.skip: jump(Int(mark.value), line, &state)
        default: break
        }
      }
    }
  }

  /// Takes frames up to the end of the current buffer.
  private func take(_ due: Int, from line: CaptureRing, _ state: inout State) {
    let wanted = min(due, bufferFrames - state.channels[0].count)
    let count = line.take(wanted) { channels, count in
      for (channel, samples) in channels.enumerated() {
        state.channels[channel] += UnsafeBufferPointer(start: samples, count: count)
      }
    }
    state.frame += FrameTime(count)
    if state.channels[0].count == bufferFrames { finishBuffer(&state) }
  }

  /// Inserts silence for frames that no cycle rendered. If they exceed the ring's capacity, it only
  /// completes the current buffer, and the next buffer begins after them.
  private func jump(_ frames: Int, _ line: CaptureRing, _ state: inout State) {
    if frames <= line.capacity { return skip(frames, &state) }
    let begun = state.channels[0].count
    let rest = begun == 0 ? 0 : bufferFrames - begun
    skip(rest, &state)
    state.frame += FrameTime(frames - rest)
  }

  /// Inserts silence for lost frames.
  private func skip(_ frames: Int, _ state: inout State) {
    var rest = frames
    while rest > 0 {
      let count = min(rest, bufferFrames - state.channels[0].count)
      for channel in state.channels.indices {
        state.channels[channel] += repeatElement(0, count: count)
      }
      state.lostFrames += count
      state.frame += FrameTime(count)
      rest -= count
      if state.channels[0].count == bufferFrames { finishBuffer(&state) }
    }
  }

  private func finishBuffer(_ state: inout State) {
    guard let count = state.channels.first?.count, count > 0 else { return }
    state.ready.append(
      TapBuffer(
        channels: state.channels, frame: state.frame - FrameTime(count),
        lostFrames: state.lostFrames))
    state.lostFrames = 0
    for channel in state.channels.indices {
      state.channels[channel].removeAll(keepingCapacity: true)
    }
  }
}
