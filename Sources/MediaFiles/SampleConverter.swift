// Conversion of float samples to an encoding.

/// A buffer of interleaved samples, converted to integers if the encoding uses them, with their
/// peak.
struct SampleConverter {
  /// The largest absolute value; 1 is full scale.
  private(set) var peak: Float = 0
  /// Samples beyond full scale, which the encoding clips.
  private(set) var clippedSamples = 0
  private(set) var floats: [Float] = []
  private(set) var integers: [Int32] = []
  private let bits: Int?
  private let clips: Bool
  private let channelCount: Int

  init(_ format: AudioFileFormat, channelCount: Int, frames: Int) {
    bits = format.integerBits
    clips = format.encoding != .float
    self.channelCount = channelCount
    if bits == nil {
      floats = [Float](repeating: 0, count: channelCount * frames)
    } else {
      integers = [Int32](repeating: 0, count: channelCount * frames)
    }
  }

  /// Converts `count` frames to the beginning of `floats` or `integers`.
  @inline(__always)
  mutating func convert(_ count: Int, sample: (_ channel: Int, _ frame: Int) -> Float) {
    for channel in 0..<channelCount {
      for frame in 0..<count {
        let value = sample(channel, frame)
        let magnitude = abs(value)
        if magnitude > peak { peak = magnitude }
        if magnitude > 1, clips { clippedSamples += 1 }
        if let bits {
          integers[frame * channelCount + channel] = Self.integer(value, bits: bits)
        } else {
          floats[frame * channelCount + channel] = value
        }
      }
    }
  }

  /// Returns the nearest integer, with full scale at 2^(bits − 1), in the highest bits of 32; 0 for
  /// NaN.
  private static func integer(_ value: Float, bits: Int) -> Int32 {
    let scale = Double(1 << (bits - 1))
    guard !value.isNaN else { return 0 }
    let scaled = (Double(value) * scale).rounded(.toNearestOrEven)
    return Int32(max(-scale, min(scale - 1, scaled))) << Int32(32 - bits)
  }
}
