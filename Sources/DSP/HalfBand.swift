// The conversion to twice the sample rate, and back.

/// A linear-phase low-pass at a quarter of the higher of two rates: a Kaiser-windowed sinc of
/// 4 m − 1 taps. Every other one but the middle is 0.
///
/// Up and down together delay by 2 m − 1 frames of the lower rate. The order of the sums is fixed:
/// the output does not depend on how frames are divided into calls.
struct HalfBand: ~Copyable {
  private let half: Int
  /// The 2 m taps that are not 0, without the middle.
  private let taps: UnsafeMutablePointer<Float>
  /// Earlier frames, then those of the current call.
  private let rising: UnsafeMutablePointer<Float>
  private let even: UnsafeMutablePointer<Float>
  private let odd: UnsafeMutablePointer<Float>
  private let room: Int
  private let sums: UnsafeMutablePointer<Float>

  /// The delay of up and down together, in frames of the lower rate.
  var delayFrames: Int { 2 * half - 1 }

  /// - Parameters:
  ///   - half: m, even.
  ///   - maximumFrames: the most frames of a call, at the lower rate.
  /// - Thread: [control]
  init(half: Int, maximumFrames: Int) {
    self.half = half
    room = 2 * half + maximumFrames
    taps = .allocate(capacity: 2 * half)
    rising = .allocate(capacity: room)
    even = .allocate(capacity: room)
    odd = .allocate(capacity: room)
    sums = .allocate(capacity: maximumFrames)
    for memory in [rising, even, odd] { memory.initialize(repeating: 0, count: room) }
    sums.initialize(repeating: 0, count: maximumFrames)
    let ideal = (0..<2 * half).map { Self.tap($0, half: half) }
    let sum = ideal.reduce(0, +)
    for (index, tap) in ideal.enumerated() {
      (taps + index).initialize(to: Float(tap * 0.5 / sum))
    }
  }

  deinit {
    taps.deallocate()
    rising.deallocate()
    even.deallocate()
    odd.deallocate()
    sums.deallocate()
  }

  /// Returns the tap 2 · index − (2 m − 1) frames from the middle, before the scaling to a sum of a
  /// half.
  private static func tap(_ index: Int, half: Int) -> Double {
    let length = Double(2 * half - 1)
    let place = Double(2 * index) - length
    let beta = 10.0
    let window = bessel(beta * (1 - place * place / (length * length)).squareRoot())
    // sin(π · odd / 2) alternates.
    return (index - half).isMultiple(of: 2) ? window / place : -window / place
  }

  /// Makes 2 · `count` frames from `count`.
  /// - Thread: [render]. - Complexity: O(count · m)
  @_noLocks @_noAllocation
  mutating func raise(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let before = 2 &* half &- 1
    var frame = 0
    while frame < count {
      rising[before &+ frame] = input[frame]
      frame &+= 1
    }
    convolve(rising, count: count)
    frame = 0
    while frame < count {
      output[2 &* frame] = sums[frame] * 2
      output[2 &* frame &+ 1] = rising[frame &+ half]
      frame &+= 1
    }
    Self.keep(rising, before, behind: count)
  }

  /// Makes `count` frames from 2 · `count`.
  /// - Thread: [render]. - Complexity: O(count · m)
  @_noLocks @_noAllocation
  mutating func lower(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let before = 2 &* half &- 1
    var frame = 0
    while frame < count {
      even[before &+ frame] = input[2 &* frame]
      odd[half &+ frame] = input[2 &* frame &+ 1]
      frame &+= 1
    }
    convolve(even, count: count)
    frame = 0
    while frame < count {
      output[frame] = sums[frame] + odd[frame] * 0.5
      frame &+= 1
    }
    Self.keep(even, before, behind: count)
    Self.keep(odd, half, behind: count)
  }

  /// - Thread: [render]
  @_noLocks @_noAllocation
  mutating func reset() {
    var frame = 0
    while frame < room {
      rising[frame] = 0
      even[frame] = 0
      odd[frame] = 0
      frame &+= 1
    }
  }

  /// Adds up all taps, four at a time, for several frames together.
  @_noLocks @_noAllocation
  private func convolve(_ source: UnsafeMutablePointer<Float>, count: Int) {
    var frame = 0
    while frame < count {
      sums[frame] = 0
      frame &+= 1
    }
    var tap = 0
    while tap < 2 &* half {
      let (a, b, c, d) = (taps[tap], taps[tap &+ 1], taps[tap &+ 2], taps[tap &+ 3])
      let from = source + tap
      frame = 0
      while frame < count {
        let near = from[frame] * a + from[frame &+ 1] * b
        let far = from[frame &+ 2] * c + from[frame &+ 3] * d
        sums[frame] += near + far
        frame &+= 1
      }
      tap &+= 4
    }
  }

  /// Moves the last `count` frames to the front.
  @_noLocks @_noAllocation
  private static func keep(_ memory: UnsafeMutablePointer<Float>, _ count: Int, behind: Int) {
    var frame = 0
    while frame < count {
      memory[frame] = memory[behind &+ frame]
      frame &+= 1
    }
  }
}
