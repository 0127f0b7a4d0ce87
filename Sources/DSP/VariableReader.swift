// The reading of a signal at another speed than it arrives.

import Realtime

/// Reads channels of sound at any position between their frames, for speeds of up to 4. Frequencies
/// that a speed above 1 would alias are filtered out first.
///
/// Positions are counted from the first frame taken. The value at a position is bit-identical
/// whenever it is read.
public struct VariableReader: ~Copyable {
  /// Frames after a position that must have been taken before it can be read.
  public static var delayFrames: Int {
    @_noLocks @_noAllocation get { WindowedSinc.mostTaps &>> 1 }
  }

  private let sinc = WindowedSinc()
  private let taps: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let capacity: Int
  /// The first frame in the memory, and the one after the last.
  private var first: Int
  public private(set) var end = 0
  /// The frame after the last frames taken that were not silent.
  private var soundEnd: Int

  /// - Parameter maximumFrames: the most frames taken between two calls of `discard`.
  /// - Thread: [control]
  public init(channelCount: Int, maximumFrames: Int) {
    self.channelCount = channelCount
    let before = WindowedSinc.mostTaps
    capacity = before + 1 + maximumFrames
    memory = .allocate(capacity: capacity * channelCount)
    memory.initialize(repeating: 0, count: capacity * channelCount)
    taps = .allocate(capacity: WindowedSinc.mostTaps)
    taps.initialize(repeating: 0, count: WindowedSinc.mostTaps)
    first = -before
    soundEnd = -before
  }

  deinit {
    memory.deallocate()
    taps.deallocate()
  }

  /// Drops the frames that are not needed to read from `place` on.
  /// - Thread: [render]. - Complexity: O(channels · frames kept)
  @_noLocks @_noAllocation
  public mutating func discard(before place: Int) {
    let gone = max(
      0, min(place &- WindowedSinc.mostTaps / 2, end &- WindowedSinc.mostTaps) &- first)
    if gone == 0 { return }
    let kept = end &- first &- gone
    var channel = 0
    while channel < channelCount {
      let samples = memory + channel &* capacity
      var frame = 0
      while frame < kept {
        samples[frame] = samples[frame &+ gone]
        frame &+= 1
      }
      channel &+= 1
    }
    first &+= gone
  }

  /// Returns the memory for the next frames of a channel, to be filled before `take`: at most
  /// `room`.
  @_noLocks @_noAllocation
  public func destination(ofChannel channel: Int) -> UnsafeMutablePointer<Float> {
    memory + (channel &* capacity &+ end &- first)
  }

  /// Number of frames for which there is room.
  public var room: Int { @_noLocks @_noAllocation get { capacity &- (end &- first) } }

  /// Takes the frames that have been written for all channels.
  /// - Thread: [render]. - Complexity: O(channels · frames)
  @_noLocks @_noAllocation
  public mutating func take(_ frameCount: Int) {
    let count = min(frameCount, room)
    var channel = 0
    var isSilent = true
    while channel < channelCount && isSilent {
      isSilent = Samples.isSilent(destination(ofChannel: channel), count: count)
      channel &+= 1
    }
    end &+= count
    if !isSilent { soundEnd = end }
  }

  /// Computes the taps for a position, for all channels.
  ///
  /// - Parameters:
  ///   - place: a frame; `delayFrames` frames after it must have been taken.
  ///   - fraction: the distance in frames from `place` forward to the position, from 0 up to 1.
  ///   - speed: 0.25 to 4.
  /// - Returns: the argument for `read`.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public mutating func aim(at place: Int, fraction: Double, speed: Double) -> Aim {
    if place &- WindowedSinc.mostTaps / 2 >= soundEnd { return Aim(offset: 0, reach: 0) }
    let reach = sinc.makeTaps(fraction: fraction, stretch: max(1, min(speed, 4)), taps)
    return Aim(offset: place &- reach &+ 1 &- first, reach: reach)
  }

  /// A position that is ready to be read.
  public struct Aim: BitwiseCopyable {
    let offset: Int
    /// Frames on each side of the position; 0 for silence.
    let reach: Int
  }

  /// Returns the sample of a channel at the position of the last call of `aim`.
  /// - Thread: [render]. - Complexity: O(speed)
  @_noLocks @_noAllocation
  public func read(_ channel: Int, _ aim: Aim) -> Float {
    if aim.reach == 0 { return 0 }
    let samples = memory + (channel &* capacity &+ aim.offset)
    // Eight sums side by side, in an order that never changes.
    var sums = SIMD8<Float>()
    var index = 0
    while index < 2 &* aim.reach {
      let sound = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Float>.self)
      let factors = UnsafeRawPointer(taps + index).loadUnaligned(as: SIMD8<Float>.self)
      sums += sound * factors
      index &+= 8
    }
    let pairs = sums.lowHalf + sums.highHalf
    let ends = pairs.lowHalf + pairs.highHalf
    return ends[0] + ends[1]
  }

  /// Returns the sample of a channel at a frame, unchanged.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func sample(_ channel: Int, at place: Int) -> Float {
    memory[channel &* capacity &+ place &- first]
  }

  /// Clears all sound; positions count on.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public mutating func reset() {
    var channel = 0
    while channel < channelCount {
      Samples.clear(memory + channel &* capacity, count: end &- first)
      channel &+= 1
    }
    soundEnd = first
  }
}
