// Sample rate conversion of clips.

import Glibc

extension AudioClip {
  /// Returns the same sound at another sample rate, converted by soxr at its highest quality. Its
  /// length is rounded to the nearest frame, and is at least one frame.
  ///
  /// - Parameters:
  ///   - sampleRate: in hertz; at most 768 times as high or as low as the clip's.
  ///   - name: for errors.
  ///   - maximumBytes: the most memory that the new samples may take.
  /// - Returns: the clip itself if it has that rate.
  /// - Throws: `sampleRate` for another rate, `tooLarge`, `outOfMemory`.
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

  /// Returns the samples' size at another sample rate, in bytes; nil if it is out of range.
  package func bytes(at sampleRate: Double) -> Int? {
    let frames = max(1, (Double(frameCount) * sampleRate / self.sampleRate).rounded())
    let bytes = frames * Double(channelCount * MemoryLayout<Float>.size)
    return bytes.isFinite && sampleRate > 0 ? Int(exactly: bytes) : nil
  }

  /// Fills a channel with converted samples, in a clip that is not shared yet.
  ///
  /// - Parameters:
  ///   - skipped: the number of converted frames to drop first.
  ///   - read: reads up to a number of input samples; 0 at the input's end. Silence follows.
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
      // A converter yields a frame more or less at the end.
      rest > 0 ? 0 : try converter.convert(into: [samples], count: count) { read($0[0], $1) }
    }
  }
}
