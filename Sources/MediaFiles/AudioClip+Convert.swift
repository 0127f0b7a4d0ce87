// Sound in memory at another sample rate.

import Foundation

extension AudioClip {
  /// The same sound at another sample rate, by soxr at its highest quality: as many frames as last
  /// as long, to the nearest one, and at least one.
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz; at most 768 times as high or as low as the clip's.
  ///   - name: for errors.
  ///   - maximumBytes: how much memory the samples may take then.
  /// - Returns: the clip itself where it has the rate.
  /// - Thread: [control]
  public func converted(
    to sampleRate: Double, name: String = "the clip", maximumBytes: Int = AudioClip.maximumBytes
  ) throws(AudioClipError) -> AudioClip {
    if sampleRate == self.sampleRate { return self }
    guard let bytes = bytes(at: sampleRate), RateConverter.bears(self.sampleRate, sampleRate) else {
      throw .sampleRate(name: name, sampleRate, reason: "out of range")
    }
    guard bytes <= maximumBytes else { throw .tooLarge(name: name, maximumBytes: maximumBytes) }
    let frames = bytes / (channelCount * MemoryLayout<Float>.size)
    let clip = try AudioClip(
      channelCount: channelCount, frameCount: frames, sampleRate: sampleRate, name: name)
    for channel in 0..<channelCount {
      let samples = samples + channel * frameCount
      var taken = 0
      try clip.resample(channel, from: self.sampleRate, name: name) { buffer, count in
        let count = min(count, frameCount - taken)
        buffer.update(from: samples + taken, count: count)
        taken += count
        return count
      }
    }
    return clip
  }

  /// What the samples take at another sample rate; nil where that cannot be said.
  package func bytes(at sampleRate: Double) -> Int? {
    let frames = max(1, (Double(frameCount) * sampleRate / self.sampleRate).rounded())
    let bytes = frames * Double(channelCount * MemoryLayout<Float>.size)
    return bytes.isFinite && sampleRate > 0 ? Int(exactly: bytes) : nil
  }

  /// Converts samples to as many as a channel has, in a clip that nobody else knows yet.
  ///
  /// - Parameters:
  ///   - skipped: how many frames are left out before the first.
  ///   - read: brings at most so many samples of the input, none at its end. Silence follows.
  func resample(
    _ channel: Int, from inputRate: Double, skipping skipped: Int = 0, name: String,
    _ read: (UnsafeMutablePointer<Float>, Int) -> Int
  ) throws(AudioClipError) {
    let converter = try RateConverter(
      from: inputRate, to: sampleRate, channelCount: 1, name: name)
    let waste = try SampleMemory(count: RateConverter.blockFrames, name: name)
    var rest = skipped
    while rest > 0 {
      let count = min(rest, RateConverter.blockFrames)
      let got = try converter.convert(into: [waste.samples], count: count) { read($0[0], $1) }
      if got == 0 { break }
      rest -= got
    }
    try fill(channel) { (samples, count) throws(AudioClipError) in
      // Of the end a converter gives a frame more or less.
      rest > 0 ? 0 : try converter.convert(into: [samples], count: count) { read($0[0], $1) }
    }
  }
}
