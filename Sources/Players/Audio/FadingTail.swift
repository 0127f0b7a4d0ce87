// Fade-outs of sounds left early.

import Realtime

/// Samples that fade out while later sounds play.
///
/// The value owns memory: `deallocate` frees it.
struct FadingTail: BitwiseCopyable {
  private let memory: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let capacity: Int
  private var position = 0
  private var end = 0

  /// - Parameter capacity: the longest fade, in frames.
  /// - Thread: [control]
  init(channelCount: Int = 1, capacity: Int = 1) {
    self.channelCount = channelCount
    self.capacity = max(capacity, 1)
    memory = .allocate(capacity: channelCount * self.capacity)
    memory.initialize(repeating: 0, count: channelCount * self.capacity)
  }

  /// - Thread: [control]
  func deallocate() { memory.deallocate() }

  @_noLocks @_noAllocation
  mutating func clear() {
    position = 0
    end = 0
  }

  /// Adds the next frames of a sound to the running tail, fading out linearly.
  ///
  /// - Parameters:
  ///   - start: the frame of the current pass that would have been played next.
  ///   - loops: whether another pass follows.
  ///   - gain: the gain at which the sound was last heard.
  ///   - given: the length of the fade, in frames.
  @_noLocks @_noAllocation
  mutating func take(
    _ entry: EntryPointer, from start: Int, loops: Bool, gain: Float, length given: Int
  ) {
    let length = min(given, capacity)
    if length < 1 { return }
    let sound = entry.pointee.sound
    let waiting = end &- position
    let reach = max(length, waiting)
    let step = gain / Float(length)
    let soundEnd =
      loops ? sound.frameCount : entry.pointee.pass.start &+ entry.pointee.pass.frameCount
    var channel = 0
    while channel < channelCount {
      let own = memory + channel &* capacity
      var frame = 0
      while frame < reach {
        own[frame] = frame < waiting ? own[position &+ frame] : 0
        frame &+= 1
      }
      var soundFrame = entry.pointee.pass.start &+ start
      frame = 0
      while frame < length {
        if soundFrame >= soundEnd {
          if !loops { break }
          soundFrame = 0
        }
        let piece = sound.piece(at: soundFrame)
        let count = min(piece.count, min(soundEnd &- soundFrame, length &- frame))
        if let samples = piece.samples {
          let source = samples + sound.offset(ofChannel: channel)
          var index = 0
          while index < count {
            own[frame &+ index] += source[index] * (gain - Float(frame &+ index &+ 1) * step)
            index &+= 1
          }
        }
        frame &+= count
        soundFrame &+= count
      }
      channel &+= 1
    }
    position = 0
    end = reach
  }

  /// Adds a channel's due frames to its output. Call `advance` after all channels.
  @_noLocks @_noAllocation
  func add(to output: UnsafeMutablePointer<Float>, channel: Int, count: Int) {
    let due = min(count, end &- position)
    if due < 1 { return }
    Samples.add(
      UnsafePointer(memory + (channel &* capacity &+ position)), to: output, count: due)
  }

  @_noLocks @_noAllocation
  mutating func advance(_ count: Int) { position = min(end, position &+ count) }

  /// Whether nothing is left.
  var isOver: Bool { @_noLocks @_noAllocation get { position >= end } }
}
