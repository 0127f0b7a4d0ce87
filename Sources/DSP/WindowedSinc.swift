// The filter that interpolates a signal between its frames.

import CRealtime
import Glibc
import Realtime

/// A low-pass as a table: a sinc with a Kaiser window with β = 10.06, 48 frames to each side.
///
/// Its stop band, from half the sample rate on, is at −100 dB; its pass band ends at 0.433 of the
/// rate (20.8 kHz at 48 kHz). Stretched in time it is the same filter for a lower rate. Between the
/// table's entries, 1009 for each frame, values are interpolated linearly, with an error of −115
/// dB.
package struct WindowedSinc: ~Copyable, Sendable {
  /// Frames on each side.
  static var half: Int { @_noLocks @_noAllocation get { 48 } }
  /// The most taps: those for a stretch of 4.
  package static var mostTaps: Int { @_noLocks @_noAllocation get { 2 &* 4 &* half } }
  /// Table entries per frame. Not a power of two, so that entries read together are in different
  /// places of the cache.
  private static var steps: Int { @_noLocks @_noAllocation get { 1009 } }

  private nonisolated(unsafe) let table: UnsafeMutablePointer<Float>

  /// - Thread: [control]
  package init() {
    // Zeros follow the window, for taps beyond it.
    let count = (Self.half + 5) * Self.steps + 2
    table = .allocate(capacity: count)
    table.initialize(repeating: 0, count: count)
    let cutoff = 2 * (0.5 - 0.5 * (100 - 7.95) / (14.36 * Double(2 * Self.half)))
    for index in 0..<(Self.half * Self.steps) {
      table[index] = Float(Self.value(Double(index) / Double(Self.steps), cutoff: cutoff))
    }
    // The taps at whole frames add up to 1.
    var sum = Double(table[0])
    for frame in 1..<Self.half { sum += 2 * Double(table[frame * Self.steps]) }
    for index in 0..<count { table[index] = Float(Double(table[index]) / sum) }
  }

  deinit { table.deallocate() }

  private static func value(_ frames: Double, cutoff: Double) -> Double {
    let place = frames / Double(half)
    let window = bessel(10.06 * (1 - place * place).squareRoot()) / bessel(10.06)
    let angle = Double.pi * cutoff * frames
    return cutoff * (angle == 0 ? 1 : sin(angle) / angle) * window
  }

  /// Returns the number of frames on each side for a stretch of 1 to 4.
  @_noLocks @_noAllocation
  package func reach(stretch: Double) -> Int {
    max(
      4,
      min((Int(saturating: Double(Self.half) * stretch + 0.999_999) &+ 3) & ~3, Self.mostTaps &>> 1)
    )
  }

  /// Writes the taps for a position between two frames.
  ///
  /// - Parameters:
  ///   - fraction: the distance from the earlier frame forward to the position, from 0 up to 1.
  ///   - stretch: 1 to 4; the filter is that of a rate as many times lower.
  ///   - taps: room for `mostTaps`.
  /// - Returns: the number n of frames on each side, a multiple of 4. The first tap is for the
  ///   frame that is n − 1 frames before the earlier of the two.
  /// - Thread: [render]. - Complexity: O(stretch)
  @_noLocks @_noAllocation
  package func makeTaps(fraction: Double, stretch: Double, _ taps: UnsafeMutablePointer<Float>)
    -> Int
  {
    let reach = reach(stretch: stretch)
    let scale = Double(Self.steps) / stretch
    let gain = Float(1 / stretch)
    // From the position outwards, in 2⁻³² entries.
    let unit = 4_294_967_296.0
    let step = Int(saturating: scale * unit)
    let behind = Int(saturating: (1 - fraction) * scale * unit)
    let before = Int(saturating: fraction * scale * unit)
    var index = 0
    while index < reach {
      let right = four(from: behind &+ index &* step, step) * gain
      let left = four(from: before &+ index &* step, step) * gain
      store(right, taps + (reach &+ index))
      store(
        SIMD4(left[3], left[2], left[1], left[0]), taps + (reach &- 4 &- index))
      index &+= 4
    }
    return reach
  }

  /// Returns four values of the table, interpolated between entries.
  @_noLocks @_noAllocation
  private func four(from place: Int, _ step: Int) -> SIMD4<Float> {
    let steps = UInt32(truncatingIfNeeded: step &>> 16)
    let places =
      SIMD4<UInt32>(repeating: UInt32(truncatingIfNeeded: place &>> 16))
      &+ SIMD4(0, steps, steps &* 2, steps &* 3)
    let entries = places &>> 16
    let between = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: places & 0xffff)) * (1 / 65_536)
    let (a, b) = (pair(entries[0]), pair(entries[1]))
    let (c, d) = (pair(entries[2]), pair(entries[3]))
    let low = SIMD4(a[0], b[0], c[0], d[0])
    let high = SIMD4(a[1], b[1], c[1], d[1])
    return low + (high - low) * between
  }

  @_noLocks @_noAllocation
  private func pair(_ entry: UInt32) -> SIMD2<Float> {
    UnsafeRawPointer(table + Int(truncatingIfNeeded: entry)).loadUnaligned(as: SIMD2<Float>.self)
  }

  @_noLocks @_noAllocation
  private func store(_ values: SIMD4<Float>, _ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: values, as: SIMD4<Float>.self)
  }
}
