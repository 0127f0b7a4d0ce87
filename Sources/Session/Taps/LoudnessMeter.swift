// The loudness of what was heard so far.

import CEBUR128
import SessionModel

/// Loudness by EBU R 128, of one or two channels.
///
/// One thread at a time calls its methods.
final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channels: Int

  /// - Parameters:
  ///   - channels: 1 or 2.
  ///   - sampleRate: in hertz. Beyond 16 Hz to 2.822 MHz nothing is measured.
  init(channels: Int, sampleRate: Double) {
    // A histogram takes the same memory however long it lasts.
    let modes = [EBUR128_MODE_S, EBUR128_MODE_I, EBUR128_MODE_HISTOGRAM]
    let mode = modes.reduce(0) { $0 | Int32($1.rawValue) }
    state = ebur128_init(UInt32(channels), UInt(sampleRate.rounded()), mode)
    self.channels = channels
  }

  deinit { if state != nil { ebur128_destroy(&state) } }

  /// Adds frames. What is no number counts as silence: it would stay in the filters.
  func add(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) {
    guard let state else { return }
    var frames: [Float] = []
    frames.reserveCapacity(channels * left.count)
    for (one, other) in zip(left, right) {
      frames.append(one.isFinite ? one : 0)
      if channels == 2 { frames.append(other.isFinite ? other : 0) }
    }
    _ = ebur128_add_frames_float(state, frames, left.count)
  }

  var reading: SpectrumReading.Loudness {
    func value(
      _ measure: (UnsafeMutablePointer<ebur128_state>, UnsafeMutablePointer<Double>) -> Int32
    ) -> Float {
      var loudness = 0.0
      guard let state, measure(state, &loudness) == Int32(EBUR128_SUCCESS.rawValue),
        loudness.isFinite
      else { return -200 }
      return Float(max(-200, (10 * loudness).rounded() / 10))
    }
    return SpectrumReading.Loudness(
      momentary: value(ebur128_loudness_momentary),
      shortTerm: value(ebur128_loudness_shortterm),
      integrated: value(ebur128_loudness_global))
  }
}
