// The thread on which a tap hands over.

import Foundation
import Realtime
import Synchronization

/// Makes buffers of what a line brings, and hands them over.
final class TapWorker: Sendable {
  let bufferFrames: Int
  private let handler: TapHandler
  private let state = Mutex(State())

  private struct State: ~Copyable, Sendable {
    var reader: CaptureReader?
    var channels: [[Float]] = []
    /// The frame time of the next frame that comes.
    var frame: FrameTime = 0
    var lostFrames = 0
    var thread: WorkThread?
    /// Whole buffers that nobody has handed over yet.
    var ready: [TapBuffer] = []
    /// The thread that hands over; nil for none.
    var handing: pthread_t?
  }

  init(bufferFrames: Int, _ handler: @escaping TapHandler) {
    self.bufferFrames = bufferFrames
    self.handler = handler
  }

  /// Goes on with another line; what does not fill a buffer is dropped.
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

  /// Hands over what makes whole buffers by now.
  func drain() {
    state.withLock { collect(&$0) }
    handOver()
  }

  /// Hands over all that there is, the last buffer as short as it is.
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

  /// Hands over the buffers that are ready, in order, and holds no lock while the handler works:
  /// it may ask anything. Waits at most a second for another thread that hands over.
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
      // A handler has asked for more, or takes long: what is ready comes behind that.
      if pthread_equal(other, own) != 0 || waits == 0 { return }
      waits -= 1
      usleep(1000)
    }
    while let buffer = takeReady() { handler(buffer) }
  }

  /// The next buffer that is ready; with nil this thread hands over no more.
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

  /// Takes frames, as far as they go into this buffer.
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

  /// Puts silence in the place of frames that no cycle had. Of more than the line holds, it
  /// completes the buffer that has begun, and the next one's frame is behind them.
  private func jump(_ frames: Int, _ line: CaptureRing, _ state: inout State) {
    if frames <= line.capacity { return skip(frames, &state) }
    let begun = state.channels[0].count
    let rest = begun == 0 ? 0 : bufferFrames - begun
    skip(rest, &state)
    state.frame += FrameTime(frames - rest)
  }

  /// Puts silence in the place of what was lost.
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
