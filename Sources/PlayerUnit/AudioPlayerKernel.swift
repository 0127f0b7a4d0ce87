// The audio player's kernel.

import MediaFiles
import Realtime
import UnitRender

/// Copies the samples of a file to its outputs.
struct AudioPlayerKernel: RenderKernel, ~Copyable {
  /// Planar: one channel after the other.
  private let samples: UnsafePointer<Float>
  private let channelCount: Int
  private let frameCount: Int
  private let words: PlayerSharedState
  private let values: ParameterValues
  private let secondsPerFrame: Double
  /// Length of the fade-out after `end`, in frames: 20 ms.
  private let fadeFrames: Int
  /// Remaining frames of the fade-out.
  private var fadeLeft: Int
  /// The next frame of the file to render; below 0 before its beginning.
  private var position = 0
  private var isPlaying = false

  /// - Parameters:
  ///   - clip: must outlive the kernel.
  /// - Thread: [control]
  init(
    _ clip: AudioClip, _ words: PlayerSharedState, values: ParameterValues, sampleRate: Double
  ) {
    samples = clip.samples
    channelCount = clip.channelCount
    frameCount = clip.frameCount
    self.words = words
    self.values = values
    secondsPerFrame = 1 / sampleRate
    fadeFrames = max(1, Int(0.02 * sampleRate))
    fadeLeft = fadeFrames
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let order = words.order
    if order == PlayerSharedState.playing && !isPlaying {
      isPlaying = true
      position = words.position
    }
    if isPlaying {
      copy(slice)
    } else {
      clear(slice)
    }
    if order == PlayerSharedState.ending { fade(slice) }
  }

  @_noLocks @_noAllocation
  private func clear(_ slice: RenderSlice) {
    var channel = 0
    while channel < channelCount {
      Samples.clear(slice.output(channel: channel), count: slice.frameCount)
      channel &+= 1
    }
  }

  /// Writes silence before the file's beginning, its samples, and silence after its end.
  @_noLocks @_noAllocation
  private mutating func copy(_ slice: RenderSlice) {
    let start = max(0, min(position, frameCount))
    let before = max(0, min(slice.frameCount, 0 &- position))
    let count = min(slice.frameCount &- before, frameCount &- start)
    let after = slice.frameCount &- before &- count
    var channel = 0
    while channel < channelCount {
      let output = slice.output(channel: channel)
      let source = samples + (channel &* frameCount &+ start)
      Samples.clear(output, count: before)
      Samples.copy(source, to: output + before, count: count)
      Samples.clear(output + (before &+ count), count: after)
      channel &+= 1
    }
    position = position &+ slice.frameCount
  }

  @_noLocks @_noAllocation
  private mutating func fade(_ slice: RenderSlice) {
    var channel = 0
    while channel < channelCount {
      let output = slice.output(channel: channel)
      var frame = 0
      while frame < slice.frameCount {
        output[frame] *= Float(max(0, fadeLeft &- frame)) / Float(fadeFrames)
        frame &+= 1
      }
      channel &+= 1
    }
    fadeLeft = max(0, fadeLeft &- slice.frameCount)
    if fadeLeft == 0 { words.ended = 1 }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if !isPlaying { return }
    words.position = position
    values[0] = Float(Double(position) * secondsPerFrame)
  }

  /// Keeps the position in the file.
  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func audioPlayerRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(AudioPlayerKernel.self, context, call)
}

@_noLocks @_noAllocation
func audioPlayerReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(AudioPlayerKernel.self, context)
}
