// Sound in memory at another sample rate.

import CSoxr
import Foundation

extension AudioClip {
  /// The same sound at another sample rate, by soxr at its highest quality: as many frames as last
  /// as long, to the nearest one, and at least one.
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - name: for errors.
  /// - Returns: the clip itself where it has the rate.
  /// - Thread: [control]
  public func converted(
    to sampleRate: Double, name: String = "the clip"
  ) throws(AudioClipError) -> AudioClip {
    if sampleRate == self.sampleRate { return self }
    func refuse(_ reason: String) -> AudioClipError {
      .sampleRate(name: name, sampleRate, reason: reason)
    }
    let length = (Double(frameCount) * sampleRate / self.sampleRate).rounded()
    guard sampleRate > 0, length * Double(channelCount) < 1e12 else { throw refuse("out of range") }
    let frames = max(1, Int(length))
    let clip = try AudioClip(
      channelCount: channelCount, frameCount: frames, sampleRate: sampleRate, name: name)
    for channel in 0..<channelCount {
      let samples = UnsafeBufferPointer(start: samples + channel * frameCount, count: frameCount)
      clip.fill(
        channel, from: 0,
        try resampled(
          samples, from: self.sampleRate, to: sampleRate, frames: frames, name: name))
    }
    return clip
  }
}

/// Converts samples between silence and silence, to as many frames as are wanted.
func resampled(
  _ samples: UnsafeBufferPointer<Float>, from inputRate: Double, to outputRate: Double,
  frames: Int, name: String
) throws(AudioClipError) -> [Float] {
  // Samples beyond the last are silence, of which a converter gives a frame more or less.
  var output = [Float](repeating: 0, count: frames)
  var written = 0
  var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
  let problem = soxr_oneshot(
    inputRate, outputRate, 1, samples.baseAddress, samples.count, nil, &output, frames, &written,
    nil, &quality, nil)
  if let problem { throw .sampleRate(name: name, outputRate, reason: String(cString: problem)) }
  return output
}
