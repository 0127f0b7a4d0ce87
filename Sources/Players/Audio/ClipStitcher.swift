// Conversion of consecutive clips of another sample rate.

import DSP
import MediaFiles

/// Converts consecutive clips as the one signal that they are parts of.
///
/// The last frames of a clip depend on the next clip. They are made twice: for the clip's end, as
/// if silence followed, and for the beginning of the next clip, which is played instead.
struct ClipStitcher {
  /// A clip at the new rate.
  struct Part {
    let clip: AudioClip
    /// Frames at its beginning shared with the previous clip's end; nil for the first clip.
    let lead: Int?
    /// Frames at its end shared with the next clip.
    let overlap: Int
  }

  private static let filter = WindowedSinc()

  private let inputRate: Double
  private let outputRate: Double
  private let channelCount: Int
  private let rates: RatePair
  private let stretch: Double
  private let reach: Int
  /// Count of input frames; the last ones are kept.
  private var inputFrames = 0
  private var kept: [[Float]]
  private var firstKept = 0
  /// The output frame after the last one, and the first one that depends on later input.
  private var end = 0
  private var firstOpen = 0

  /// - Returns: nil if a rate is not a whole number, or the output rate more than four times lower.
  init?(from inputRate: Double, to outputRate: Double, channelCount: Int) {
    guard let rates = RatePair(from: inputRate, to: outputRate), inputRate <= 4 * outputRate else {
      return nil
    }
    self.rates = rates
    (self.inputRate, self.outputRate, self.channelCount) = (inputRate, outputRate, channelCount)
    stretch = max(1, inputRate / outputRate)
    reach = Self.filter.reach(stretch: stretch)
    kept = Array(repeating: [], count: channelCount)
  }

  /// Whether a clip continues the signal.
  func fits(_ clip: AudioClip, to rate: Double) -> Bool {
    clip.sampleRate == inputRate && clip.channelCount == channelCount && rate == outputRate
  }

  mutating func add(_ clip: AudioClip) throws(AudioClipError) -> Part {
    let lead = inputFrames > 0 ? end - firstOpen : nil
    for (channel, samples) in clip.channels.enumerated() { kept[channel] += samples }
    inputFrames += clip.frameCount
    let start = firstOpen
    end = max(start + 1, rates.outputFrames(before: inputFrames))
    firstOpen = max(start, min(end, rates.outputFrames(before: inputFrames - reach)))
    let part = Part(
      clip: try AudioClip(samples(start..<end), sampleRate: outputRate), lead: lead,
      overlap: end - firstOpen)
    let needed = max(firstKept, rates.input(ofOutput: firstOpen).frame - reach)
    for channel in 0..<channelCount { kept[channel].removeFirst(needed - firstKept) }
    firstKept = needed
    return part
  }

  private func samples(_ range: Range<Int>) -> [[Float]] {
    let taps = UnsafeMutablePointer<Float>.allocate(capacity: WindowedSinc.mostTaps)
    defer { taps.deallocate() }
    var output = Array(repeating: [Float](), count: channelCount)
    for frame in range {
      let (position, fraction) = rates.input(ofOutput: frame)
      let reach = Self.filter.makeTaps(fraction: fraction, stretch: stretch, taps)
      let first = position - reach + 1 - firstKept
      for channel in 0..<channelCount {
        let samples = kept[channel]
        var sum = 0.0
        for tap in max(0, -first)..<max(0, -first, min(2 * reach, samples.count - first)) {
          sum += Double(taps[tap]) * Double(samples[first + tap])
        }
        output[channel].append(Float(sum))
      }
    }
    return output
  }
}
