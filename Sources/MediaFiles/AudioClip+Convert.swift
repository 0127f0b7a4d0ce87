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
    var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
    for channel in 0..<channelCount {
      // Samples beyond the last are silence, of which a converter gives a frame more or less.
      var output = [Float](repeating: 0, count: frames)
      var written = 0
      let problem = soxr_oneshot(
        self.sampleRate, sampleRate, 1, samples + channel * frameCount, frameCount, nil, &output,
        frames, &written, nil, &quality, nil)
      if let problem { throw refuse(String(cString: problem)) }
      clip.fill(channel, from: 0, output)
    }
    return clip
  }
}
