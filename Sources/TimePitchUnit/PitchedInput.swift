// The input's past, read for pitches below its own.

import DSP
import Foundation

/// The last frames of the input, each with the pitch at which it is to be heard.
///
/// The pitch is made in two steps, so that neither needs to look further than the stretcher's
/// window: what is to be lower is read slower before it is stretched, what is to be higher is read
/// faster behind. What is read before is counted in *positions*: one for each frame that goes into
/// the stretcher.
///
/// Used by one thread at a time.
final class PitchedInput {
  /// What belongs to a frame of the input.
  struct Mark: BitwiseCopyable {
    /// The position of the frame.
    var position: Double
    /// The speeds of reading before and behind the stretcher: no more than 1, and no less.
    var before: Double
    var behind: Double

    var isPlain: Bool { before == 1 && behind == 1 }
  }

  /// How many frames can be read at the least.
  let historyFrames: Int
  let channelCount: Int
  /// The frame behind the last that was taken, and behind the last whose pitch is known.
  private(set) var end = 0
  private(set) var marksEnd = 0
  private var reader: VariableReader
  /// The number of a frame less its place in the reader.
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

  /// Forgets all sound: silence is before `frame`.
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

  /// Gives the frames up to one their pitch.
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
  ///
  /// - Parameter rises: whether they come out of silence, because some are missing before.
  /// - Returns: how many samples were no numbers; silence stands for them.
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

  /// Reads all channels behind a frame.
  ///
  /// - Parameter fraction: how far, from 0 up to 1; what it reads around is here.
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
