// History of the input, read for lower pitches.

import DSP
import Glibc

/// The last frames of the input, each with the pitch at which it is to be heard.
///
/// Pitch is shifted in two steps, so that neither looks beyond the stretcher's window. Lower
/// pitches are read slower before the stretcher, higher ones faster after it. Reading before it
/// counts in *positions*: one for each frame that is fed to the stretcher.
///
/// Used by one thread at a time.
final class PitchedInput {
  /// Data of an input frame.
  struct Mark: BitwiseCopyable {
    /// The position of the frame.
    var position: Double
    /// The reading speeds before and after the stretcher: at most 1, and at least 1.
    var before: Double
    var behind: Double

    var isPlain: Bool { before == 1 && behind == 1 }
  }

  /// Count of frames that can be read, at least.
  let historyFrames: Int
  let channelCount: Int
  /// The frames after the last one taken, and after the last one with a known pitch.
  private(set) var end = 0
  private(set) var marksEnd = 0
  private var reader: VariableReader
  /// A frame's number minus its index in the reader.
  private var shift = 0
  private let marks: UnsafeMutablePointer<Mark>
  private let mask: Int
  private var next = Mark(position: 0, before: 1, behind: 1)
  private var cents: Float = 0

  init(historyFrames: Int, channelCount: Int) {
    self.channelCount = channelCount
    var capacity = 1024
    while capacity < historyFrames { capacity *= 2 }
    self.historyFrames = capacity
    mask = 2 * capacity - 1
    marks = .allocate(capacity: 2 * capacity)
    marks.initialize(repeating: next, count: 2 * capacity)
    reader = VariableReader(channelCount: channelCount, maximumFrames: 2 * capacity)
  }

  deinit { marks.deallocate() }

  /// Clears all sound: silence precedes `frame`.
  func restart(at frame: Int) {
    reader.reset()
    var rest = historyFrames + 1024
    while rest > 0 {
      makeRoom(for: 1024)
      for channel in 0..<channelCount {
        reader.destination(ofChannel: channel).update(repeating: 0, count: 1024)
      }
      reader.take(1024)
      rest -= 1024
    }
    end = frame
    shift = frame - reader.end
    next = Mark(position: Double(-historyFrames), before: 1, behind: 1)
    marksEnd = frame - historyFrames
    mark(upTo: frame, cents: 0)
  }

  /// Sets the pitch of the frames before `frame` that have none.
  func mark(upTo frame: Int, cents: Float) {
    if cents != self.cents {
      self.cents = cents
      let ratio = exp2(Double(cents) / 1200)
      next.before = min(ratio, 1)
      next.behind = max(ratio, 1)
    }
    while marksEnd < frame {
      marks[marksEnd & mask] = next
      next.position += 1 / next.before
      marksEnd += 1
    }
  }

  func mark(_ frame: Int) -> Mark { marks[frame & mask] }

  /// Takes the next frames.
  /// - Parameter rises: whether the frames fade in, because some are missing before them.
  /// - Returns: the count of samples that are not finite, which become silence.
  func take(_ slot: StretchSlot, rises: Bool) -> Int {
    let count = slot.head.pointee.count
    makeRoom(for: count)
    var bad = 0
    for channel in 0..<channelCount {
      let source = slot.input(ofChannel: channel)
      let destination = reader.destination(ofChannel: channel)
      for index in 0..<count {
        let isNumber = source[index].isFinite
        if !isNumber { bad += 1 }
        destination[index] = isNumber ? source[index] : 0
      }
      if rises {
        for index in 0..<min(count, 128) { destination[index] *= Float(index) * (1 / 128) }
      }
    }
    reader.take(count)
    end += count
    return bad
  }

  private func makeRoom(for count: Int) {
    if reader.room < count { reader.discard(before: reader.end - historyFrames) }
  }

  /// The oldest frame that can be read.
  var oldest: Int { end - historyFrames + 512 }

  func sample(_ channel: Int, at frame: Int) -> Float { reader.sample(channel, at: frame - shift) }

  func isSilent(at frame: Int) -> Bool {
    for channel in 0..<channelCount where reader.sample(channel, at: frame - shift) != 0 {
      return false
    }
    return true
  }

  /// Reads all channels at a fraction after a frame.
  ///
  /// - Parameter fraction: 0 up to 1; the frames around it must be readable.
  func read(
    at frame: Int, fraction: Double, to output: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ index: Int
  ) {
    if fraction == 0 {
      for channel in 0..<channelCount { output[channel][index] = sample(channel, at: frame) }
      return
    }
    let aim = reader.aim(at: frame - shift, fraction: fraction, speed: 1)
    for channel in 0..<channelCount { output[channel][index] = reader.read(channel, aim) }
  }
}
