// The thread on which a tap hands over.

import Foundation
import Realtime
import Synchronization

/// Makes buffers of what a line brings, and hands them over.
final class TapDesk: Sendable {
  let bufferFrames: Int
  private let handler: TapHandler
  private let state = Mutex(State())
  private let hasEnded = DispatchSemaphore(value: 0)

  private struct State: ~Copyable, Sendable {
    var line: CaptureLine?
    var mark: CaptureMark?
    var channels: [[Float]] = []
    /// The frame time of the next frame that comes.
    var frame: FrameTime = 0
    var lostFrames = 0
    var isClosed = false
    var hasThread = false
  }

  init(bufferFrames: Int, _ handler: @escaping TapHandler) {
    self.bufferFrames = bufferFrames
    self.handler = handler
  }

  /// Goes on with another line; what does not fill a buffer is dropped.
  func begin(_ line: CaptureLine) {
    let isFirst = state.withLock { state in
      drain(&state)
      state.line?.deallocate()
      state.line = line
      state.mark = nil
      state.channels = Array(repeating: [], count: line.channelCount)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if !isFirst { return }
    let thread = Thread { [self] in
      while !step() { usleep(5000) }
      hasEnded.signal()
    }
    thread.name = "tap"
    thread.start()
  }

  private func step() -> Bool {
    state.withLock { state in
      if !state.isClosed { drain(&state) }
      return state.isClosed
    }
  }

  func drain() { _ = step() }

  func close() {
    let hadThread = state.withLock { state in
      drain(&state)
      state.line?.deallocate()
      state.line = nil
      state.isClosed = true
      return state.hasThread
    }
    if hadThread { hasEnded.wait() }
  }

  private func drain(_ state: inout State) {
    guard let line = state.line else { return }
    // Read before the marks: what is between the frames up to here has been told by then.
    let written = line.written
    while true {
      if state.mark == nil { state.mark = line.marks.tryReceive() }
      let due = min(state.mark?.position ?? written, written) - line.read
      if due > 0 {
        take(due, from: line, &state)
      } else if let mark = state.mark {
        state.mark = nil
        if mark.kind == CaptureMark.begin { state.frame = mark.value }
        if mark.kind == CaptureMark.gap { skip(Int(mark.value), &state) }
      } else {
        return
      }
    }
  }

  /// Takes frames, as far as they go into this buffer.
  private func take(_ due: Int, from line: CaptureLine, _ state: inout State) {
    let wanted = min(due, bufferFrames - state.channels[0].count)
    let count = line.take(wanted) { channels, count in
      for (channel, samples) in channels.enumerated() {
        state.channels[channel] += UnsafeBufferPointer(start: samples, count: count)
      }
    }
    state.frame += FrameTime(count)
    handOver(&state)
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
      handOver(&state)
    }
  }

  private func handOver(_ state: inout State) {
    if state.channels[0].count < bufferFrames { return }
    handler(
      TapBuffer(
        channels: state.channels, frame: state.frame - FrameTime(bufferFrames),
        lostFrames: state.lostFrames))
    state.lostFrames = 0
    for channel in state.channels.indices {
      state.channels[channel].removeAll(keepingCapacity: true)
    }
  }
}
