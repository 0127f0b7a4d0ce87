// Buffers of a host's busses, with guards before and after them.

import Glibc

/// Memory for the channels of busses.
final class ChannelMemory {
  /// Guard frames before and after a channel, which no unit may write.
  private static let guardFrames = 64
  /// A NaN with unusual bits, which no unit would write.
  private static let guardBits: UInt32 = 0x7FA5_A5A5

  private let memory: UnsafeMutablePointer<Float>
  private let stride: Int
  /// The first sample of each channel, by bus.
  let channels: [[UnsafeMutablePointer<Float>]]

  init(_ channelCounts: [Int], frames: Int) {
    stride = frames + 2 * Self.guardFrames
    let count = max(1, stride * channelCounts.reduce(0, +))
    memory = .allocate(capacity: count)
    memory.initialize(repeating: Float(bitPattern: Self.guardBits), count: count)
    var next = memory + Self.guardFrames
    channels = channelCounts.map { [stride] count in
      (0..<count).map { _ in
        defer { next += stride }
        return next
      }
    }
  }

  deinit { memory.deallocate() }

  func lend(_ body: (Int, Int, UnsafeMutablePointer<Float>) -> Void) {
    for bus in channels.indices {
      for channel in channels[bus].indices { body(bus, channel, channels[bus][channel]) }
    }
  }

  /// Whether the first bus of each has the same number of channels, at least one.
  func canReplace(_ other: ChannelMemory) -> Bool {
    channels.first.map { !$0.isEmpty && $0.count == other.channels.first?.count } ?? false
  }

  /// Copies frames of a stimulus, with silence where it has none.
  func fill(_ stimulus: Stimulus, from start: Int, count: Int) {
    lend { bus, channel, samples in
      guard let source = Self.source(stimulus, bus, channel) else {
        return samples.update(repeating: 0, count: count)
      }
      let there = max(0, min(count, source.count - start))
      source.withUnsafeBufferPointer {
        if there > 0 { samples.update(from: $0.baseAddress! + start, count: there) }
      }
      (samples + there).update(repeating: 0, count: count - there)
    }
  }

  func isUntouched(_ stimulus: Stimulus, from start: Int, count: Int) -> Bool {
    var isUntouched = true
    lend { bus, channel, samples in
      guard let source = Self.source(stimulus, bus, channel) else { return }
      let there = max(0, min(count, source.count - start))
      source.withUnsafeBufferPointer {
        if there > 0, memcmp($0.baseAddress! + start, samples, there * 4) != 0 {
          isUntouched = false
        }
      }
    }
    return isUntouched
  }

  private static func source(_ stimulus: Stimulus, _ bus: Int, _ channel: Int) -> [Float]? {
    guard bus < stimulus.audio.count, channel < stimulus.audio[bus].count else { return nil }
    return stimulus.audio[bus][channel]
  }

  /// Restores the guard after a cycle's frames, and fills the frames with a constant.
  func prepare(_ count: Int) {
    lend { _, _, samples in
      samples.update(repeating: 0.125, count: count)
      for index in count..<min(count + Self.guardFrames, stride - Self.guardFrames) {
        samples[index] = Float(bitPattern: Self.guardBits)
      }
    }
  }

  /// Returns the guard that was written, as text; nil if both are intact.
  func writtenPosition(behind count: Int) -> String? {
    var position: String?
    lend { _, _, samples in
      for offset in 0..<Self.guardFrames {
        if samples[-1 - offset].bitPattern != Self.guardBits { position = "before the first" }
        if samples[count + offset].bitPattern != Self.guardBits { position = "behind the last" }
      }
    }
    return position
  }
}
