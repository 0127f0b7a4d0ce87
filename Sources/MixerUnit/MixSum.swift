// The addition of many signals, several of them in one pass.

import Realtime
import UnitRender

/// Queued signals to be added to outputs, up to four for each. One pass over the output then adds
/// four, each sample in the order of queueing.
struct MixSum {
  private let outputCount: Int
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let gains: UnsafeMutablePointer<Float>
  private let counts: UnsafeMutablePointer<Int>

  /// - Thread: [control]
  init(outputCount: Int) {
    self.outputCount = outputCount
    sources = .allocate(capacity: 4 * outputCount)
    sources.initialize(repeating: nil, count: 4 * outputCount)
    gains = .allocate(capacity: 4 * outputCount)
    gains.initialize(repeating: 0, count: 4 * outputCount)
    counts = .allocate(capacity: outputCount)
    counts.initialize(repeating: 0, count: outputCount)
  }

  /// - Thread: [control]
  func deallocate() {
    sources.deallocate()
    gains.deallocate()
    counts.deallocate()
  }

  /// Adds a source's frames of a slice from `first` on. Frames of a whole slice may be queued.
  @_noLocks @_noAllocation
  func add(
    _ source: UnsafePointer<Float>, gain: Float, to output: Int, from first: Int,
    _ slice: RenderSlice
  ) {
    if first > 0 {
      // The queue is empty: it was finished when this source began to ramp.
      Samples.add(
        source, gain: gain, to: slice.output(channel: output) + first,
        count: slice.frameCount &- first)
      return
    }
    let count = counts[output]
    let slot = 4 &* output &+ count
    sources[slot] = source
    gains[slot] = gain
    counts[output] = count &+ 1
    if count == 3 { finish(output, slice) }
  }

  /// Adds all queued signals.
  @_noLocks @_noAllocation
  func finish(_ slice: RenderSlice) {
    var output = 0
    while output < outputCount {
      finish(output, slice)
      output &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func finish(_ output: Int, _ slice: RenderSlice) {
    let count = counts[output]
    if count == 0 { return }
    counts[output] = 0
    let (sources, gains) = (sources + 4 &* output, gains + 4 &* output)
    let destination = slice.output(channel: output)
    if count == 4, let first = sources[0], let second = sources[1], let third = sources[2],
      let fourth = sources[3]
    {
      Samples.add(
        first, gain: gains[0], second, gain: gains[1], third, gain: gains[2], fourth,
        gain: gains[3], to: destination, count: slice.frameCount)
      return
    }
    var index = 0
    while index < count {
      if let source = sources[index] {
        Samples.add(source, gain: gains[index], to: destination, count: slice.frameCount)
      }
      index &+= 1
    }
  }
}
