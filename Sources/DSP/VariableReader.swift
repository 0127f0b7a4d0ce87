// A signal that is read at another speed than it comes.

import Realtime

/// Reads channels of sound at any place between their frames, for speeds of up to 4: what a speed
/// above 1 would fold back is filtered out before.
///
/// The places are counted from the first frame that was taken. What is read at a place is the same
/// to the bit whenever it is read.
public struct VariableReader: ~Copyable {
  /// The frames behind a place that have to be there for it to be read.
  public static var delayFrames: Int {
    @_noLocks @_noAllocation get { WindowedSinc.mostTaps &>> 1 }
  }

  private let sinc = WindowedSinc()
  private let taps: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let capacity: Int
  /// The frame at the start of the memory, and the one behind those in it.
  private var first: Int
  public private(set) var end = 0
  /// The frame behind the last that was no silence.
  private var soundEnd: Int

  /// - Parameter maximumFrames: that are taken between two calls of `discard`.
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

  /// Forgets what is not needed to read from `place` on.
  /// - Thread: [render]. - Complexity: O(channels · frames that stay)
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

  /// Where the next frames of a channel are to be put, for `take`; no more than there is room for.
  @_noLocks @_noAllocation
  public func destination(ofChannel channel: Int) -> UnsafeMutablePointer<Float> {
    memory + (channel &* capacity &+ end &- first)
  }

  /// How many frames there is room for.
  public var room: Int { @_noLocks @_noAllocation get { capacity &- (end &- first) } }

  /// Takes the frames that have been put into all channels.
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

  /// Makes the taps for a place, which serve all channels.
  ///
  /// - Parameters:
  ///   - place: a frame; `delayFrames` behind it have been taken.
  ///   - fraction: how far the place is behind that frame, from 0 up to 1.
  ///   - speed: 0.25 to 4.
  /// - Returns: what `read` takes.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public mutating func aim(at place: Int, fraction: Double, speed: Double) -> Aim {
    if place &- WindowedSinc.mostTaps / 2 >= soundEnd { return Aim(offset: 0, reach: 0) }
    let reach = sinc.makeTaps(fraction: fraction, stretch: max(1, min(speed, 4)), taps)
    return Aim(offset: place &- reach &+ 1 &- first, reach: reach)
  }

  /// A place that has been made ready to be read.
  public struct Aim: BitwiseCopyable {
    let offset: Int
    /// 0 for silence.
    let reach: Int
  }

  /// The sample of a channel at the place that `aim` was told last.
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

  /// The sample of a channel at a frame, as it was taken.
  /// - Thread: [render]
  @_noLocks @_noAllocation
  public func sample(_ channel: Int, at place: Int) -> Float {
    memory[channel &* capacity &+ place &- first]
  }

  /// Forgets all sound; places are counted as before.
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
