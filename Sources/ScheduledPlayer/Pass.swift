// Passes of a loop that do not last whole frames.

import Realtime

/// How long the passes of a sound are.
struct PassLength: BitwiseCopyable {
  /// Whole frames, and `rest` of `parts` of one.
  let frames: Int
  let rest: Int
  let parts: Int

  /// - Thread: [control]
  init(frames: Int, rest: Int = 0, parts: Int = 1) {
    (self.frames, self.rest, self.parts) = (frames, rest, parts)
  }
}

/// One of the passes of a sound. It begins with the first frame that is not before its exact place.
struct Pass: BitwiseCopyable {
  /// Its first frame in the sound.
  private(set) var start = 0
  let length: PassLength
  /// How far the first frame is behind the exact place, in parts of a frame.
  private var offset = 0

  /// The first one.
  @_noLocks @_noAllocation
  init(_ length: PassLength) { self.length = length }

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
    offset = behind > 0 ? max(0, min(length.parts &- behind, length.parts &- 1)) : 0
  }

  /// How many frames it has, at least one.
  var frameCount: Int {
    @_noLocks @_noAllocation get { length.frames &+ (length.rest > offset ? 1 : 0) }
  }

  /// The one that follows.
  var next: Pass {
    @_noLocks @_noAllocation get {
      var next = self
      next.start = start &+ frameCount
      next.offset = offset &- length.rest &+ (length.rest > offset ? length.parts : 0)
      return next
    }
  }

  /// A frame of a pass.
  struct Place: BitwiseCopyable {
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
