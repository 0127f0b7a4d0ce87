// The MIDI player's render side.

import Realtime
import UnitRender

/// Sends the messages of a file, each on its own frame.
struct MIDIPlayerKernel: RenderKernel, ~Copyable {
  private let score: MIDIScore
  private let words: PlayerSharedState
  private let values: ParameterValues
  private let secondsPerFrame: Double
  /// What the file has begun and not ended.
  private let held = HeldKeys()
  /// The event that is sent next.
  private var next = 0
  /// The frame of the file that is rendered next.
  private var position = 0
  private var isPlaying = false

  /// - Parameter score: which the kernel frees.
  /// - Thread: [control]
  init(_ score: MIDIScore, _ words: PlayerSharedState, values: ParameterValues, sampleRate: Double)
  {
    self.score = score
    self.words = words
    self.values = values
    secondsPerFrame = 1 / sampleRate
  }

  deinit {
    score.deallocate()
    held.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    // A player that stands still holds nothing.
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
    let order = words.order
    if order == PlayerSharedState.waiting { return }
    if order == PlayerSharedState.ending {
      if release(slice.call, at: slice.frame) { words.ended = 1 }
      return
    }
    if !isPlaying {
      isPlaying = true
      position = words.position
    }
    let end = position &+ slice.frameCount
    if let output = slice.call.midiOutput { send(to: output, slice, before: end) }
    if next == score.count && score.endFrame < end {
      // A file that ends in the middle of its notes.
      let offset = max(0, score.endFrame &- position)
      _ = release(slice.call, at: slice.frame &+ FrameTime(offset))
    }
    position = end
  }

  /// Sends what is due before the frame `end` of the file. What finds no room goes on in the next
  /// cycle, in order.
  @_noLocks @_noAllocation
  private mutating func send(to output: RenderEventList, _ slice: RenderSlice, before end: Int) {
    while next < score.count {
      let event = score.events[next]
      if event.frame >= end { return }
      let bytes = score.bytes + event.start
      let isSystemExclusive = bytes[0] == 0xF0
      if output.room == 0 || isSystemExclusive && output.payloadRoom < event.length {
        if output.count > 0 { return }
        // Longer than an empty list takes.
        words.countLost()
        next &+= 1
        continue
      }
      if event.frame < position { words.countLate() }
      let offset = max(0, event.frame &- position)
      _ = output.insertMIDI(
        UnsafePointer(bytes), count: event.length, at: slice.frame &+ FrameTime(offset))
      if event.length == 3 {
        held.take(ShortMessage(Int(bytes[0]), Int(bytes[1]), Int(bytes[2])))
      }
      next &+= 1
    }
  }

  /// Ends all that is held.
  /// - Returns: whether there was room for it.
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
    words.position = position
    values[0] = Float(Double(position) * secondsPerFrame)
  }

  /// What was held has been ended by whoever heard it; the place in the file stays.
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
