// The stretched sound, and the control of its timing.

import DSP

/// Feeds the stretcher as much as an output position needs. Steers its ratio so that input comes
/// out at its output position on the path: compares the position of the next window with the one
/// due. So errors do not add up, however long it runs.
///
/// Used by one thread at a time.
final class StretchedSound {
  private let channelCount: Int
  private let band: RubberBand
  private let source: PitchedInput
  private let path: StretchPath
  private var reader: VariableReader
  private let piece: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let ends: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The first position fed, and the reader's index at which the output begins.
  private var firstPosition = 0
  private var base = 0
  /// An output position of the path minus the position in the stretcher's output.
  private var shift = 0.0
  /// The next input frame to feed, and the point that comes out with the next window.
  private var frame = 0
  private var cursor = 0

  /// The most frames made in one step of the stretcher.
  private static var stepFrames: Int { 4096 }

  init(_ source: PitchedInput, _ path: StretchPath, sampleRate: Double, isShort: Bool) {
    self.source = source
    self.path = path
    channelCount = source.channelCount
    band = RubberBand(sampleRate: sampleRate, channelCount: channelCount, isShort: isShort)
    reader = VariableReader(channelCount: channelCount, maximumFrames: 4 * Self.stepFrames)
    piece = .allocate(capacity: channelCount)
    ends = .allocate(capacity: channelCount)
    ends.initialize(repeating: nil, count: channelCount)
    for channel in 0..<channelCount {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: Stretcher.pieceFrames)
      memory.initialize(repeating: 0, count: Stretcher.pieceFrames)
      (piece + channel).initialize(to: memory)
    }
  }

  deinit {
    for channel in 0..<channelCount { piece[channel].deallocate() }
    piece.deallocate()
    ends.deallocate()
  }

  /// Starts at a point of the path. All sound from its output position on is complete when it is
  /// read.
  func start(at index: Int) {
    band.restart()
    reader.reset()
    base = reader.end
    let point = path[index]
    let ratio = path.ratio(at: index)
    let half = Double(band.halfFrames)
    // Completes the frames read around the position, up to a limit of cost.
    let lead = half + min((48 * point.speed + 64) / ratio, 2 * half)
    firstPosition = Int((point.position - lead).rounded(.down))
    let start = (half + (point.position - Double(firstPosition) - half) * ratio).rounded()
    shift = point.outputPosition - start
    cursor = index
    frame = point.frame
    while source.mark(frame).position > Double(firstPosition), frame > source.oldest { frame -= 1 }
  }

  /// Reads all channels at the output position of a point.
  ///
  /// - Returns: whether its input was available; otherwise it writes silence.
  func read(at index: Int, to output: UnsafeMutablePointer<Float>) -> Bool {
    let point = path[index]
    let position = point.outputPosition - shift
    var fraction = position - position.rounded(.down)
    var whole = base + Int(position.rounded(.down))
    // Removes rounding errors around whole numbers.
    if fraction > 0.999_999 { whole += 1 }
    if fraction > 0.999_999 || fraction < 0.000_001 { fraction = 0 }
    let reach = Int((48 * point.speed).rounded(.up)) + 6
    while reader.end < whole + reach {
      if !feed(reading: whole) {
        for channel in 0..<channelCount { output[channel] = 0 }
        return false
      }
    }
    if fraction == 0 && point.speed == 1 {
      for channel in 0..<channelCount { output[channel] = reader.sample(channel, at: whole) }
    } else {
      let aim = reader.aim(at: whole, fraction: fraction, speed: point.speed)
      for channel in 0..<channelCount { output[channel] = reader.read(channel, aim) }
    }
    return true
  }

  /// - Parameter start: the first frame that is still read.
  /// - Returns: whether its input was available.
  private func feed(reading start: Int) -> Bool {
    let first = firstPosition + band.fedFrames
    let last = Double(first + Stretcher.pieceFrames)
    if source.mark(source.end - 50).position < last || frame < source.oldest { return false }
    for index in 0..<Stretcher.pieceFrames {
      let position = Double(first + index)
      while source.mark(frame + 1).position <= position { frame += 1 }
      let mark = source.mark(frame)
      let fraction = (position - mark.position) * mark.before
      source.read(
        at: frame, fraction: max(0, min(fraction, 0.999_999)), to: UnsafePointer(piece), index)
    }
    steer()
    piece.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: channelCount) {
      band.feed($0, count: Stretcher.pieceFrames)
    }
    var available = band.availableFrames
    while available > 0 {
      let count = min(available, Self.stepFrames)
      if reader.room < count { reader.discard(before: start) }
      for channel in 0..<channelCount { ends[channel] = reader.destination(ofChannel: channel) }
      band.retrieve(ends, count: count)
      reader.take(count)
      available -= count
    }
    return true
  }

  /// Sets the ratio at which the next windows come out in time.
  private func steer() {
    let middle = Double(firstPosition + band.windowStart + band.halfFrames)
    let now = Double(band.madeFrames + band.halfFrames)
    cursor = max(cursor, path.oldest)
    _ = path.outputPosition(of: middle, &cursor)
    let ratio = path.ratio(at: cursor)
    let ahead = max(256, 1024 / max(1, ratio))
    var further = cursor
    let due = path.outputPosition(of: middle + ahead, &further) - shift
    let wanted = (due - now) / ahead
    band.setRatio(max(ratio / 2, min(wanted, ratio * 2)))
  }
}
