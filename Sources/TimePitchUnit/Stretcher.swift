// Rendering of a block's output.

import Glibc
import Realtime

/// Makes blocks of output. It plays the input itself if speed and pitch are unchanged, or during
/// silence; otherwise the stretched sound. It crossfades between them.
///
/// The output depends on the blocks only, not on their timing. Used by one thread at a time.
final class Stretcher {
  private enum Source {
    case input, fine, short
  }

  /// Count of frames fed to Rubber Band together.
  static var pieceFrames: Int { 64 }
  /// Length of a crossfade, in frames.
  static var fadeFrames: Int { 512 }

  private let timing: StretchTiming
  private let channelCount: Int
  private let report: StretchReport
  private let input: PitchedInput
  private let path: StretchPath
  private let fine: StretchedSound
  /// For ratios below 0.14.
  private let short: StretchedSound
  private let frame: UnsafeMutablePointer<Float>
  private let fading: UnsafeMutablePointer<Float>
  private var hasBegun = false
  private var epoch = 0
  /// The current and the former source, and the frames since the change, at most `fadeFrames`.
  private var source = Source.input
  private var former = Source.input
  private var age = fadeFrames
  /// The input frame that the source `input` plays.
  private var heard = 0
  /// The last frame that was not silent, of those before `looked`.
  private var lastSound = Int.min / 2
  private var looked = 0
  /// Count of frames without stretched sound; the timing allows none.
  private(set) var starvedFrames = 0

  init(_ timing: StretchTiming, channelCount: Int, sampleRate: Double, report: StretchReport) {
    self.timing = timing
    self.channelCount = channelCount
    self.report = report
    let blocks = (timing.insideBlocks + 2) * StretchTiming.blockFrames
    input = PitchedInput(
      historyFrames: timing.leadFrames + 4 * blocks + 4 * timing.halfFrames + 2048,
      channelCount: channelCount)
    path = StretchPath(capacity: blocks)
    fine = StretchedSound(input, path, sampleRate: sampleRate, isShort: false)
    short = StretchedSound(input, path, sampleRate: sampleRate, isShort: true)
    frame = .allocate(capacity: channelCount)
    frame.initialize(repeating: 0, count: channelCount)
    fading = .allocate(capacity: channelCount)
    fading.initialize(repeating: 0, count: channelCount)
  }

  deinit {
    frame.deallocate()
    fading.deallocate()
  }

  /// Takes a block's input, and writes the output of the block `insideBlocks` before.
  func make(_ slot: StretchSlot) {
    let head = slot.head.pointee
    let goesOn = hasBegun && head.epoch == epoch && head.start == input.end && !head.hasGap
    if !goesOn { restart(head) }
    if head.hasGap {
      // The output of the frames discarded by the restart.
      let frames = timing.insideBlocks * StretchTiming.blockFrames
      report.words.add(frames, to: StretchCount.missedFrames)
    }
    let bad = input.take(slot, rises: head.hasGap)
    if bad > 0 { report.words.add(bad, to: StretchCount.noNumbers) }
    for index in 0..<StretchTiming.blockFrames { plan(slot.frames[index]) }
    let first = path.end - (timing.insideBlocks + 1) * StretchTiming.blockFrames
    for index in 0..<StretchTiming.blockFrames {
      if first + index < 0 {
        for channel in 0..<channelCount { slot.output(ofChannel: channel)[index] = 0 }
      } else {
        render(first + index)
        for channel in 0..<channelCount { slot.output(ofChannel: channel)[index] = frame[channel] }
      }
    }
  }

  private func restart(_ head: StretchHead) {
    hasBegun = true
    epoch = head.epoch
    input.restart(at: head.start)
    path.restart()
    (source, former, age) = (.input, .input, Self.fadeFrames)
    heard = head.start - timing.leadFrames - 1
    (lastSound, looked) = (Int.min / 2, head.start)
  }

  private func plan(_ frame: StretchFrame) {
    input.mark(upTo: frame.newest + 1, cents: frame.cents)
    let middle = frame.newest - timing.leadFrames
    let mark = input.mark(middle)
    path.add(
      frame: middle,
      position: mark.position + Double(frame.fraction) * (1 / 4_294_967_296) / mark.before,
      speed: mark.behind, isPlain: frame.isPlain && mark.isPlain)
  }

  private func render(_ index: Int) {
    let wanted = wantedSource(at: index)
    if age == Self.fadeFrames && wanted != source {
      (former, source, age) = (source, wanted, 0)
      if source == .fine { fine.start(at: index) }
      if source == .short { short.start(at: index) }
    }
    age = min(age + 1, Self.fadeFrames)
    let fades = age < Self.fadeFrames
    // The input continues unchanged while it fades out.
    heard = fades && former == .input ? heard + 1 : path[index].frame
    read(source, at: index, to: frame)
    if !fades { return }
    read(former, at: index, to: fading)
    let gain = Float(age) / Float(Self.fadeFrames)
    for channel in 0..<channelCount {
      frame[channel] = frame[channel] * gain + fading[channel] * (1 - gain)
    }
  }

  private func wantedSource(at index: Int) -> Source {
    let point = path[index]
    look(upTo: point.frame + timing.halfFrames)
    // Sound rings in the windows around it, longest at four times the speed.
    if point.isPlain || lastSound < point.frame - 6 * timing.halfFrames { return .input }
    return path.ratio(at: index) < 0.14 ? .short : .fine
  }

  private func read(_ source: Source, at index: Int, to output: UnsafeMutablePointer<Float>) {
    if source == .input {
      for channel in 0..<channelCount { output[channel] = input.sample(channel, at: heard) }
    } else if !(source == .fine ? fine : short).read(at: index, to: output) {
      starvedFrames += 1
    }
  }

  private func look(upTo end: Int) {
    while looked < end {
      if !input.isSilent(at: looked) { lastSound = looked }
      looked += 1
    }
  }
}
