// Passes of a loop that do not last whole frames.

import Realtime

/// How long the passes of a sound are.
struct PassLength: BitwiseCopyable {
  /// Whole frames, and `rest` of `parts` of one.
  let frames: Int
  private let numerator: Int32
  private let denominator: Int32

  /// - Parameter parts: up to 2^30, as of two sample rates.
  /// - Thread: [control]
  init(frames: Int, rest: Int = 0, parts: Int = 1) {
    (self.frames, numerator, denominator) = (frames, Int32(rest), Int32(parts))
  }

  /// That of no pass.
  static var none: PassLength { @_noLocks @_noAllocation get { PassLength() } }

  @_noLocks @_noAllocation
  private init() { (frames, numerator, denominator) = (0, 0, 1) }

  var rest: Int { @_noLocks @_noAllocation get { Int(numerator) } }
  var parts: Int { @_noLocks @_noAllocation get { Int(denominator) } }
}

/// One of the passes of a sound. It begins with the first frame that is not before its exact place.
struct Pass: BitwiseCopyable {
  /// Its first frame in the sound.
  private(set) var start = 0
  let length: PassLength
  /// How far the first frame is behind the exact place, in parts of a frame.
  private(set) var offset: Int32 = 0

  /// The first one.
  @_noLocks @_noAllocation
  init(_ length: PassLength) { self.length = length }

  /// One of which it does not matter where it is.
  /// - Thread: [control]
  init(_ length: PassLength, offset: Int32) { (self.length, self.offset) = (length, offset) }

  /// The one that a frame is in.
  @_noLocks @_noAllocation
  init(_ length: PassLength, at frame: Int) {
    self.length = length
    let exact = Double(length.frames) + Double(length.rest) / Double(length.parts)
    var number = Int(saturating: Double(frame) / exact)
    if Double(number) * exact > Double(frame) { number &-= 1 }
    let place = Int(saturating: Double(number) * exact)
    // How far the exact place is behind that. Years away a number cannot tell: there it is held.
    let behind = number &* length.rest &- (place &- number &* length.frames) &* length.parts
    start = behind > 0 ? min(place &+ 1, frame) : place
    offset =
      behind > 0
      ? Int32(truncatingIfNeeded: max(0, min(length.parts &- behind, length.parts &- 1))) : 0
  }

  /// How many frames it has, at least one.
  var frameCount: Int {
    @_noLocks @_noAllocation get { length.frames &+ (length.rest > Int(offset) ? 1 : 0) }
  }

  /// The one that follows.
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
    /// From 0 on.
    let frame: Int

    @_noLocks @_noAllocation
    init(pass: Pass, frame: Int) {
      self.pass = pass
      self.frame = frame
    }
  }
}
