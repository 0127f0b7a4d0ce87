// Short loops at another sample rate.

/// A sound that is played over and over, at another sample rate than its own: as many passes of it
/// as last whole frames together, behind the last of which the first one follows.
///
/// They are converted as a part of a sound without end, so that there is neither a seam nor drift.
package struct LoopedClip: Sendable {
  /// All passes.
  package let clip: AudioClip
  /// How many there are. One begins with the first frame that is not before its exact place.
  package let passCount: Int

  /// The longest of several passes, in frames.
  private static let mostFrames = 1 << 20

  /// - Parameters:
  ///   - sampleRate: in hertz.
  ///   - name: for errors.
  ///   - maximumBytes: how much memory its samples may take.
  /// - Returns: nil where it would be too long, where a pass would have no frame, and for rates
  ///   that are no whole numbers of hertz.
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

  /// Converts a part of a sound without end.
  ///
  /// - Parameter loop: what that is made of.
  private func convert(
    _ loop: AudioClip, _ channel: Int, _ rates: RatePair, name: String
  ) throws(AudioClipError) {
    let samples = loop.samples + channel * loop.frameCount
    // Before and behind it is more than soxr's filters reach, in frames that meet.
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
