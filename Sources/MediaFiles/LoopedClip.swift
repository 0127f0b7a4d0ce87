// Short loops, converted to another sample rate.

/// A loop at another sample rate than its source's: as many passes as last whole frames together.
/// Its first frame follows its last.
///
/// The passes are converted as a part of an endless sound, so that there is neither a seam nor
/// drift.
package struct LoopedClip: Sendable {
  /// All passes.
  package let clip: AudioClip
  /// The number of passes. A pass begins with the first frame at or after its exact position.
  package let passCount: Int

  /// The most frames of several passes together.
  private static let mostFrames = 1 << 20

  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - name: for errors.
  ///   - maximumBytes: the most memory that its samples may take.
  /// - Returns: nil if it would be too long, if a pass would have no frame, or unless both rates
  ///   are whole numbers of hertz.
  /// - Throws: `outOfMemory`, or an error of the conversion.
  /// - Thread: [control]
  package init?(
    _ clip: AudioClip, at sampleRate: Double, name: String, maximumBytes: Int
  ) throws(AudioClipError) {
    guard let rates = RatePair(from: clip.sampleRate, to: sampleRate),
      let pass = rates.length(ofFrames: clip.frameCount), pass.frames > 0,
      pass.parts == 1 || pass.parts <= Self.mostFrames / pass.frames
    else { return nil }
    passCount = pass.parts
    let frames = pass.parts * pass.frames + pass.rest
    guard frames <= maximumBytes / (clip.channelCount * MemoryLayout<Float>.size) else {
      return nil
    }
    self.clip = try AudioClip(
      channelCount: clip.channelCount, frameCount: frames, sampleRate: sampleRate, name: name)
    for channel in 0..<clip.channelCount { try convert(clip, channel, rates, name: name) }
  }

  /// Converts one channel of the endless sound.
  ///
  /// - Parameter loop: the clip that repeats.
  private func convert(
    _ loop: AudioClip, _ channel: Int, _ rates: RatePair, name: String
  ) throws(AudioClipError) {
    let samples = loop.samples + channel * loop.frameCount
    // The margin on both sides is longer than soxr's filters, in frames that meet at both rates.
    let steps = 8192 / rates.inputStep + 8192 / rates.outputStep + 1
    let (before, skipped) = (steps * rates.inputStep, steps * rates.outputStep)
    var rest = clip.frameCount / rates.outputStep * rates.inputStep + 2 * before
    var next = (loop.frameCount - before % loop.frameCount) % loop.frameCount
    try clip.resample(channel, from: rates.input, skipping: skipped, name: name) { buffer, count in
      let count = min(count, rest)
      for index in 0..<count {
        buffer[index] = samples[next]
        next = next + 1 == loop.frameCount ? 0 : next + 1
      }
      rest -= count
      return count
    }
  }
}
