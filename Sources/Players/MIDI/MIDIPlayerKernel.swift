// The MIDI player's kernel.

import Realtime
import UnitRender

/// Sends the messages of a file, each on its own frame.
struct MIDIPlayerKernel: RenderKernel, ~Copyable {
  private let shared: PlayerSharedState
  private let values: ParameterValues
  private let secondsPerFrame: Double
  /// The score that is played, while `isPlaying`.
  private var score: MIDIScore
  /// Keys and pedals that the file has pressed and not released.
  private let held = HeldKeys()
  /// Index of the next event to send, and the one after the last of this pass.
  private var (next, last) = (0, 0)
  /// The next frame of the file to render; below 0 before its beginning.
  private var position = 0
  private var isPlaying = false

  /// - Parameter shared: must outlive the kernel.
  /// - Thread: [control]
  init(_ shared: PlayerSharedState, values: ParameterValues, sampleRate: Double) {
    self.shared = shared
    score = shared.score
    self.values = values
    secondsPerFrame = 1 / sampleRate
  }

  deinit { held.deallocate() }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    // A bypassed player holds no notes.
    if call.call.pointee.flags & UInt32(kRenderCallBypass) != 0 {
      _ = release(call, at: call.call.pointee.frame)
    }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let order = shared.order
    if order == PlayerSharedState.waiting { return }
    if order == PlayerSharedState.ending {
      if release(slice.call, at: slice.frame) {
        isPlaying = false
        shared.order = PlayerSharedState.waiting
      }
      return
    }
    if !isPlaying {
      isPlaying = true
      score = shared.score
      (next, last) = (0, score.firstCount)
      position = shared.position
    }
    var end = position &+ slice.frameCount
    if let output = slice.call.midiOutput { send(to: output, slice, before: end) }
    if next == last && score.endFrame < end {
      // The file has ended: release keys and pedals that are still held.
      let offset = max(0, score.endFrame &- position)
      _ = release(slice.call, at: slice.frame &+ FrameTime(offset))
      if let start = score.loopStart {
        // One pass a cycle at most, so that a file of a few frames costs no more than another.
        position = position &- score.endFrame
        end = end &- score.endFrame
        (next, last) = (start, score.count)
        if let output = slice.call.midiOutput { send(to: output, slice, before: end) }
      }
    }
    position = end
  }

  /// Sends the events due before the frame `end` of the file. If the list is full, the rest follows
  /// in the next cycle, in order.
  @_noLocks @_noAllocation
  private mutating func send(to output: RenderEventList, _ slice: RenderSlice, before end: Int) {
    while next < last {
      let event = score.events[next]
      if event.frame >= end { return }
      let bytes = score.bytes + event.start
      let isSystemExclusive = bytes[0] == 0xF0
      if output.room == 0 || isSystemExclusive && output.payloadRoom < event.length {
        if output.count > 0 { return }
        // Longer than an empty list's payload room.
        shared.countLost()
        next &+= 1
        continue
      }
      if event.frame < position { shared.countLate() }
      let offset = max(0, event.frame &- position)
      _ = output.insertMIDI(
        UnsafePointer(bytes), count: event.length, at: slice.frame &+ FrameTime(offset))
      if event.length == 3 {
        held.take(ShortMessage(Int(bytes[0]), Int(bytes[1]), Int(bytes[2])))
      }
      next &+= 1
    }
  }

  /// Releases all held keys and pedals.
  /// - Returns: whether the list had room for all releases.
  @_noLocks @_noAllocation
  private func release(_ call: RenderCallView, at frame: FrameTime) -> Bool {
    guard let output = call.midiOutput else { return true }
    while let end = held.nextEnd() {
      if output.room == 0 { return false }
      _ = output.insert(.midi(end, at: frame))
      held.take(end)
    }
    return true
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if !isPlaying { return }
    shared.position = position
    values[0] = Float(Double(position) * secondsPerFrame)
  }

  /// Keeps the position in the file. Whoever received the held notes has ended them.
  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func midiPlayerRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(MIDIPlayerKernel.self, context, call)
}

@_noLocks @_noAllocation
func midiPlayerReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(MIDIPlayerKernel.self, context)
}
