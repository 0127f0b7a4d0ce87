// Passes of a loop with fractional lengths.

import Realtime

/// Length of a sound's passes.
struct PassLength: BitwiseCopyable {
  /// Whole frames; a fraction of `rest` / `parts` of a frame is added.
  let frames: Int
  private let numerator: Int32
  private let denominator: Int32

  /// - Parameter parts: at most 2^30, from two sample rates.
  /// - Thread: [control]
  init(frames: Int, rest: Int = 0, parts: Int = 1) {
    (self.frames, numerator, denominator) = (frames, Int32(rest), Int32(parts))
  }

  /// The length of no pass.
  static var none: PassLength { @_noLocks @_noAllocation get { PassLength() } }

  @_noLocks @_noAllocation
  private init() { (frames, numerator, denominator) = (0, 0, 1) }

  var rest: Int { @_noLocks @_noAllocation get { Int(numerator) } }
  var parts: Int { @_noLocks @_noAllocation get { Int(denominator) } }
}

/// A pass of a sound. Its first frame is the first one at or after its exact position.
struct Pass: BitwiseCopyable {
  /// First frame of the pass in the sound.
  private(set) var start = 0
  let length: PassLength
  /// Distance of the first frame from the exact position, in parts of a frame.
  private(set) var offset: Int32 = 0

  /// The first pass.
  @_noLocks @_noAllocation
  init(_ length: PassLength) { self.length = length }

  /// A pass whose position does not matter.
  /// - Thread: [control]
  init(_ length: PassLength, offset: Int32) { (self.length, self.offset) = (length, offset) }

  /// The pass that contains a frame.
  @_noLocks @_noAllocation
  init(_ length: PassLength, at frame: Int) {
    self.length = length
    let exact = Double(length.frames) + Double(length.rest) / Double(length.parts)
    var number = Int(saturating: Double(frame) / exact)
    if Double(number) * exact > Double(frame) { number &-= 1 }
    let rounded = Int(saturating: Double(number) * exact)
    // Distance of the exact position from `rounded`. After years it is inexact, and clamped.
    let behind = number &* length.rest &- (rounded &- number &* length.frames) &* length.parts
    start = behind > 0 ? min(rounded &+ 1, frame) : rounded
    offset =
      behind > 0
      ? Int32(truncatingIfNeeded: max(0, min(length.parts &- behind, length.parts &- 1))) : 0
  }

  /// Frame count of the pass, at least 1.
  var frameCount: Int {
    @_noLocks @_noAllocation get { length.frames &+ (length.rest > Int(offset) ? 1 : 0) }
  }

  /// The next pass.
  var next: Pass {
    @_noLocks @_noAllocation get {
      var next = self
      next.start = start &+ frameCount
      let parts = length.rest > Int(offset) ? length.parts : 0
      next.offset = Int32(truncatingIfNeeded: Int(offset) &- length.rest &+ parts)
      return next
    }
  }

  /// A frame of a pass.
  struct Position: BitwiseCopyable {
    let pass: Pass
    /// Index in the pass, from 0.
    let frame: Int

    @_noLocks @_noAllocation
    init(pass: Pass, frame: Int) {
      self.pass = pass
      self.frame = frame
    }
  }
}
