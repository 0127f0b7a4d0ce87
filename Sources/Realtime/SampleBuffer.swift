// Arithmetic on buffers of 32-bit float samples.

/// Clearing, copying, mixing and checking of sample buffers.
///
/// Every function costs O(count) and reads or writes exactly `count` samples. The loops carry no
/// overflow checks, so that the optimiser turns each into vector instructions.
///
/// - Thread: [any]
public enum Samples {
  /// Sets `count` samples to zero.
  @inlinable @_noLocks @_noAllocation
  public static func clear(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count {
      samples[index] = 0
      index &+= 1
    }
  }

  /// Copies `count` samples; `source` and `destination` may be equal, but not overlap otherwise.
  @inlinable @_noLocks @_noAllocation
  public static func copy(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    if source == UnsafePointer(destination) { return }
    var index = 0
    while index < count {
      destination[index] = source[index]
      index &+= 1
    }
  }

  /// Copies `count` samples and clears the source.
  @inlinable @_noLocks @_noAllocation
  public static func move(
    _ source: UnsafeMutablePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    copy(source, to: destination, count: count)
    clear(source, count: count)
  }

  /// Adds `count` samples of `source` to `destination`.
  @inlinable @_noLocks @_noAllocation
  public static func add(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    var index = 0
    while index < count {
      destination[index] += source[index]
      index &+= 1
    }
  }

  /// Adds `count` samples of `source`, times the linear factor `gain`, to `destination`.
  @inlinable @_noLocks @_noAllocation
  public static func add(
    _ source: UnsafePointer<Float>, gain: Float, to destination: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    var index = 0
    while index < count {
      destination[index] += source[index] * gain
      index &+= 1
    }
  }

  /// Adds `count` samples of four sources, each times its gain, to `destination`. Bit-identical to
  /// four calls that each add one source.
  @inlinable @_noLocks @_noAllocation
  public static func add(
    _ first: UnsafePointer<Float>, gain firstGain: Float, _ second: UnsafePointer<Float>,
    gain secondGain: Float, _ third: UnsafePointer<Float>, gain thirdGain: Float,
    _ fourth: UnsafePointer<Float>, gain fourthGain: Float,
    to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    var index = 0
    while index < count {
      var sum = destination[index] + first[index] * firstGain
      sum += second[index] * secondGain
      sum += third[index] * thirdGain
      destination[index] = sum + fourth[index] * fourthGain
      index &+= 1
    }
  }

  /// Multiplies `count` samples by the linear factor `gain`.
  @inlinable @_noLocks @_noAllocation
  public static func scale(_ samples: UnsafeMutablePointer<Float>, by gain: Float, count: Int) {
    var index = 0
    while index < count {
      samples[index] *= gain
      index &+= 1
    }
  }

  /// Whether any of `count` samples is NaN or infinite.
  @inlinable @_noLocks @_noAllocation
  public static func containsNonFinite(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    var found: UInt32 = 0
    var index = 0
    while index < count {
      // Only an exponent of all ones carries into the sign bit here.
      found |= (samples[index].bitPattern & 0x7fff_ffff) &+ 0x0080_0000
      index &+= 1
    }
    return found & 0x8000_0000 != 0
  }

  /// Whether all `count` samples are zero, of either sign. Stops soon after the first nonzero
  /// sample.
  @inlinable @_noLocks @_noAllocation
  public static func isSilent(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    var index = 0
    while index < count {
      let blockEnd = min(index &+ 64, count)
      var bits: UInt32 = 0
      while index < blockEnd {
        bits |= samples[index].bitPattern
        index &+= 1
      }
      if bits & 0x7fff_ffff != 0 { return false }
    }
    return true
  }

  /// Returns the greatest magnitude among `count` samples; 0 if there are none, NaN if one is NaN.
  @inlinable @_noLocks @_noAllocation
  public static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    // Magnitudes sort like their bit patterns, and integers have a vector maximum.
    var peak: Int32 = 0
    var index = 0
    while index < count {
      let bits = Int32(bitPattern: samples[index].bitPattern & 0x7fff_ffff)
      peak = max(peak, bits)
      index &+= 1
    }
    return Float(bitPattern: UInt32(bitPattern: peak))
  }
}
