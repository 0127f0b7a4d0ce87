// Test signals for units: arrays with one sample a frame.
import Foundation

/// Makers of test signals.
///
/// - Thread: [any]
public enum Signal {
  /// Silence of `frames` frames.
  public static func silence(frames: Int) -> [Float] {
    [Float](repeating: 0, count: frames)
  }

  /// `amplitude` at frame `frame`, zero elsewhere.
  public static func impulse(frames: Int, at frame: Int = 0, amplitude: Float = 1) -> [Float] {
    var signal = silence(frames: frames)
    signal[frame] = amplitude
    return signal
  }

  /// A constant.
  public static func constant(_ value: Float, frames: Int) -> [Float] {
    [Float](repeating: value, count: frames)
  }

  /// amplitude · sin(2π · frequencyHertz · frame / sampleRate + phase), computed in double
  /// precision.
  public static func sine(
    frames: Int, frequencyHertz: Double, sampleRate: Double = 48_000, amplitude: Double = 1,
    phaseRadians: Double = 0
  ) -> [Float] {
    let step = 2 * Double.pi * frequencyHertz / sampleRate
    return (0..<frames).map { Float(amplitude * sin(step * Double($0) + phaseRadians)) }
  }

  /// White noise, uniform in −amplitude…amplitude; the same seed gives the same noise.
  public static func noise(frames: Int, seed: UInt64, amplitude: Float = 1) -> [Float] {
    var random = SeededRandom(seed: seed)
    return (0..<frames).map { _ in
      // 24 bits, so that every value is exact in a Float.
      let unit = Float(random.next() >> 40) / Float(1 << 23) - 1
      return unit * amplitude
    }
  }
}
