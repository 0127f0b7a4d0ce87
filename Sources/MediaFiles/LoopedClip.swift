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
  /// - Returns: nil where it would be too long, where a pass would have no frame, and for rates
  ///   that are no whole numbers of hertz.
  /// - Thread: [control]
  package init?(
    _ clip: AudioClip, at sampleRate: Double, name: String
  ) throws(AudioClipError) {
    guard let rates = RatePair(from: clip.sampleRate, to: sampleRate),
      let pass = rates.length(ofFrames: clip.frameCount), pass.frames > 0,
      pass.parts == 1 || pass.parts <= Self.mostFrames / pass.frames
    else { return nil }
    passCount = pass.parts
    let frames = pass.parts * pass.frames + pass.rest
    self.clip = try AudioClip(
      channelCount: clip.channelCount, frameCount: frames, sampleRate: sampleRate, name: name)
    for channel in 0..<clip.channelCount {
      let samples = UnsafeBufferPointer(
        start: clip.samples + channel * clip.frameCount, count: clip.frameCount)
      let output = try Self.convert(samples, rates, to: frames, name: name)
      self.clip.fill(channel, from: 0, output)
    }
  }

  /// Converts a part of a sound without end.
  ///
  /// - Parameter loop: what that is made of.
  private static func convert(
    _ loop: UnsafeBufferPointer<Float>, _ rates: RatePair, to frames: Int, name: String
  ) throws(AudioClipError) -> ArraySlice<Float> {
    // Before and behind it is more than soxr's filters reach, in frames that meet.
    let steps = 8192 / rates.inputStep + 8192 / rates.outputStep + 1
    let (before, skipped) = (steps * rates.inputStep, steps * rates.outputStep)
    let count = frames / rates.outputStep * rates.inputStep
    let first = loop.count - before % loop.count
    let input = (0..<count + 2 * before).map { loop[(first + $0) % loop.count] }
    let output = try input.withUnsafeBufferPointer { (input) throws(AudioClipError) in
      try resampled(
        input, from: rates.input, to: rates.output, frames: frames + 2 * skipped, name: name)
    }
    return output[skipped..<skipped + frames]
  }
}
