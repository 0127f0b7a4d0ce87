// Conversion of channel counts, by blocks.

import DSP

/// Buffers for a block of frames, one a channel.
final class FrameBuffers {
  let channels: [UnsafeMutablePointer<Float>]

  init(channels: Int, frames: Int) {
    self.channels = (0..<channels).map { _ in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      buffer.initialize(repeating: 0, count: frames)
      return buffer
    }
  }

  deinit { for buffer in channels { buffer.deallocate() } }
}

/// A mix of channels as by a mixer with pan in the middle.
struct ChannelMatrix {
  private let inputs: Int
  private let outputs: Int
  /// Gains by output, then input; nil if the channel count stays.
  private let gains: [Double]?

  init(from inputs: Int, to outputs: Int) {
    (self.inputs, self.outputs) = (inputs, outputs)
    guard inputs != outputs else {
      gains = nil
      return
    }
    var gains = [Double](repeating: 0, count: inputs * outputs)
    gains.withUnsafeMutableBufferPointer {
      MixMatrix.fill($0.baseAddress!, from: inputs, to: outputs, pan: 0)
    }
    self.gains = gains
  }

  func mix(_ buffers: FrameBuffers, count: Int) -> [[Float]] {
    guard let gains else {
      return buffers.channels.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    }
    return (0..<outputs).map { output in
      (0..<count).map { frame in
        var sum = 0.0
        for input in 0..<inputs {
          sum += gains[output * inputs + input] * Double(buffers.channels[input][frame])
        }
        return Float(sum)
      }
    }
  }
}
