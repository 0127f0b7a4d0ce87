// Clips of another sample rate that follow each other.

import DSP
import MediaFiles

/// Converts clips that are played one after the other as the one signal that they are parts of.
///
/// The last frames of each depend on what comes next. They are made twice: at the end of a clip as
/// if silence came, and at the beginning of the next one, which is played in their place.
struct ClipStitcher {
  /// A clip at the new rate.
  struct Part {
    let clip: AudioClip
    /// Frames at its beginning that are those at the end of the one before; nil for the first.
    let lead: Int?
    /// Frames at its end that the next one has too.
    let overlap: Int
  }

  private static let filter = WindowedSinc()

  private let inputRate: Double
  private let outputRate: Double
  private let channelCount: Int
  private let rates: RatePair
  private let stretch: Double
  private let reach: Int
  /// Frames of the input so far, of which the last are kept.
  private var inputFrames = 0
  private var kept: [[Float]]
  private var firstKept = 0
  /// The frame of the output behind the last one, and the first that depends on what comes.
  private var end = 0
  private var firstOpen = 0

  /// - Returns: nil for rates that are no whole numbers, or more than four times lower.
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

  /// Whether a clip goes on with the signal.
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
      let (place, fraction) = rates.input(ofOutput: frame)
      let reach = Self.filter.makeTaps(fraction: fraction, stretch: stretch, taps)
      let first = place - reach + 1 - firstKept
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
