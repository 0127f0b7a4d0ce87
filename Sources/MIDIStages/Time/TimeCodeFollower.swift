// MIDI time code: quarter frames and full messages.

import Realtime

/// Follows MIDI time code of 24, 25, 29.97 (drop frame) and 30 frames a second.
///
/// Eight quarter frames in a row state a time, which applies to the first of them by number. So it
/// is known with the eighth; run backwards, with the first. A full message states where the machine
/// has located: quarter frames have to state a time again.
struct TimeCodeFollower: BitwiseCopyable {
  private var ticks = TickEstimator()
  private var hasTick = false
  private var pieces = InlineArray<8, UInt8>(repeating: 0)
  private var piece = 0
  /// The number of quarter frames in a row that continue each other.
  private var run = 0
  /// The direction: 1 forwards, −1 backwards, 0 while unknown.
  private(set) var direction = 0
  private(set) var isLocked = false
  /// The time at the latest tick, or of the full message, in quarter frames.
  private(set) var position = 0
  private var rate = 3
  /// Whether the latest quarter frame is not adjacent to the one before.
  private(set) var hasJumped = false

  /// - Thread: [control]
  init() {}

  var latest: FrameTime { @_noLocks @_noAllocation get { ticks.latest } }

  @_noLocks @_noAllocation
  func isPresent(at frame: FrameTime, within frames: FrameTime) -> Bool {
    hasTick && frame &- ticks.latest < frames
  }

  /// Frames of time code per second: 24, 25, 30000/1001 or 30.
  var framesPerSecond: Double {
    @_noLocks @_noAllocation get {
      switch rate {
      case 0: return 24
      case 1: return 25
      case 2: return 30000.0 / 1001
      default: return 30
      }
    }
  }

  /// The time at the frame of the latest quarter frame, in seconds.
  @_noLocks @_noAllocation
  func seconds(sampleRate: Double) -> Double {
    let time = Double(position) / (4 * framesPerSecond)
    if hasJumped || !trustsLine { return time }
    return time + Double(direction) * ticks.lateness * speed(sampleRate: sampleRate) / sampleRate
  }

  /// A tape's speed, 0.1 to 10; 1 as recorded, and while it is unknown.
  @_noLocks @_noAllocation
  func speed(sampleRate: Double) -> Double {
    if !trustsLine { return 1 }
    let speed = sampleRate / (4 * framesPerSecond * ticks.interval)
    return speed < 0.1 ? 0.1 : speed > 10 ? 10 : speed
  }

  private var trustsLine: Bool {
    @_noLocks @_noAllocation get { ticks.count >= 24 && ticks.interval > 0 }
  }

  /// - Parameters:
  ///   - data: the byte after the status: the piece's number and four bits of the time.
  ///   - longest: a quarter frame this many frames or more after the one before starts a new row.
  @_noLocks @_noAllocation
  mutating func quarterFrame(_ data: UInt8, at frame: FrameTime, longest: FrameTime) {
    hasJumped = false
    let number = Int(data >> 4 & 7)
    let step = (number - piece + 8) & 7
    let isBroken =
      !isPresent(at: frame, within: longest) || run == 0
      || (step != 1 && step != 7) || (direction != 0 && step != (direction + 8) & 7)
    if isBroken {
      unlock()
      ticks.reset()
      run = 0
    } else {
      direction = step == 1 ? 1 : -1
    }
    hasTick = true
    run &+= 1
    piece = number
    pieces[number] = data & 15
    // Lost ticks break the row, so that none have to be counted here.
    _ = ticks.add(frame)
    if isLocked { position += direction }
    let isLast = direction > 0 ? number == 7 : direction < 0 && number == 0
    if run >= 8 && isLast { take(piece: number) }
  }

  /// Takes over the time that the last eight quarter frames state.
  @_noLocks @_noAllocation
  private mutating func take(piece: Int) {
    rate = Int(pieces[7] >> 1 & 3)
    let stated = frameNumber(
      hours: Int(pieces[6] | (pieces[7] & 1) << 4), minutes: Int(pieces[4] | (pieces[5] & 3) << 4),
      seconds: Int(pieces[2] | (pieces[3] & 3) << 4), frames: Int(pieces[0] | (pieces[1] & 1) << 4))
    let now = 4 * stated + piece
    if isLocked && now == position { return }
    position = now
    isLocked = true
    hasJumped = true
  }

  /// Takes in a full message, `F0 7F id 01 01 hh mm ss ff F7`; ignores others.
  /// - Returns: whether it was one.
  @_noLocks @_noAllocation
  mutating func fullMessage(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    if !Self.isFullMessage(bytes, count: count) { return false }
    rate = Int(bytes[5] >> 5 & 3)
    position =
      4
      * frameNumber(
        hours: Int(bytes[5] & 31), minutes: Int(bytes[6] & 63), seconds: Int(bytes[7] & 63),
        frames: Int(bytes[8] & 31))
    unlock()
    run = 0
    return true
  }

  @_noLocks @_noAllocation
  static func isFullMessage(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    count == 10 && bytes[0] == 0xF0 && bytes[1] == 0x7F && bytes[3] == 1 && bytes[4] == 1
  }

  @_noLocks @_noAllocation
  private mutating func unlock() {
    isLocked = false
    direction = 0
  }

  /// The number of time code frames since midnight. Drop frame omits two numbers in each minute
  /// except every tenth.
  @_noLocks @_noAllocation
  private func frameNumber(hours: Int, minutes: Int, seconds: Int, frames: Int) -> Int {
    let whole = rate == 0 ? 24 : rate == 1 ? 25 : 30
    let minutes = 60 * hours + minutes
    let number = (60 * minutes + seconds) * whole + frames
    return rate == 2 ? number - 2 * (minutes - minutes / 10) : number
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    ticks.reset()
    hasTick = false
    unlock()
    run = 0
    position = 0
    hasJumped = false
  }
}
