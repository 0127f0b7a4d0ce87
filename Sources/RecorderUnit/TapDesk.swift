// The thread on which a tap hands over.

import Foundation
import Realtime
import Synchronization

/// Makes buffers of what a line brings, and hands them over.
final class TapDesk: Sendable {
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
  }

  init(bufferFrames: Int, _ handler: @escaping TapHandler) {
    self.bufferFrames = bufferFrames
    self.handler = handler
  }

  /// Goes on with another line; what does not fill a buffer is dropped.
  func begin(_ line: CaptureLine) {
    state.withLock { state in
      drain(&state)
      state.reader?.line.deallocate()
      state.reader = CaptureReader(line)
      state.channels = Array(repeating: [], count: line.channelCount)
      if state.thread == nil {
        state.thread = WorkThread("tap", pause: 5000) { [self] in drain() }
      }
    }
  }

  func drain() { state.withLock { drain(&$0) } }

  func close() {
    let thread = state.withLock { state in
      drain(&state)
      state.reader?.line.deallocate()
      state.reader = nil
      return state.thread.take()
    }
    thread?.end()
  }

  private func drain(_ state: inout State) {
    guard let line = state.reader?.line else { return }
    state.reader?.look()
    while let item = state.reader?.next() {
      switch item {
      case .frames(let count): take(count, from: line, &state)
      case .mark(let mark):
        if mark.kind == CaptureMark.begin { state.frame = mark.value }
        if mark.kind == CaptureMark.gap { skip(Int(mark.value), &state) }
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
