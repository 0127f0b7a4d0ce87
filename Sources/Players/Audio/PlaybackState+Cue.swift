// The place where the content begins to play.

import Realtime

extension PlaybackState {
  /// Sets the cue, in seconds. Content that plays or pauses goes on there, unless it follows the
  /// transport.
  @_noLocks @_noAllocation
  mutating func setCue(_ seconds: Float, at frame: FrameTime) {
    values[Self.cueIndex] = seconds
    guard let first = queue.first, isContent(first), !followsTransport else { return }
    leave(at: frame)
    startAtCue(first)
  }

  /// Starts the content, which is in the queue, at the cue.
  @_noLocks @_noAllocation
  mutating func startAtCue(_ content: EntryPointer) {
    let frames = Int(saturating: Double(values[Self.cueIndex]) * sampleRate + 0.5)
    let loops = loops(content)
    start(content, at: content.pointee.firstPosition(frames, looping: loops), looping: loops)
  }

  /// Starts the content, which is in the queue, somewhere. It fades in, except at its beginning.
  @_noLocks @_noAllocation
  mutating func start(_ content: EntryPointer, at target: Pass.Position, looping loops: Bool) {
    content.pointee.isStarted = true
    content.pointee.begin(looping: loops, at: target.pass)
    position = target.frame
    carried = 0
    if target.frame > 0 { fadeIn() } else { fadeInLeft = 0 }
  }

  /// Latest cue, in seconds.
  static var longestCue: Float { @_noLocks @_noAllocation get { 1_000_000 } }
}
