// Presets of the channels, as published by the render side.

import FluidSynthPool
import Realtime

/// The preset of each MIDI channel, as FluidSynth's address of it.
///
/// The value is a handle: copies refer to the same memory. It outlives the kernels of a unit.
struct PlayedPresets: Sendable, BitwiseCopyable {
  private static var channelCount: Int { @_noLocks @_noAllocation get { 16 } }
  /// Index after the channels: the count of the render side's looks.
  private static var looks: Int { @_noLocks @_noAllocation get { 16 } }

  private let words = AtomicCounters(count: 17)

  /// - Thread: [control], once nothing uses it any more.
  func deallocate() { words.deallocate() }

  /// Count of the render side's looks; 0 before the first.
  var lookCount: Int { words[Self.looks] }

  /// Address of a channel's preset; 0 for none.
  subscript(channel: Int) -> Int { words[channel] }

  /// Stores the presets of a pool. Not inlined, because it is rare.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inline(never)
  func look(at pool: UnsafeMutablePointer<SynthPool>?) {
    var channel = 0
    while channel < Self.channelCount {
      if let pool {
        words[channel] = pool.pointee.preset(channel)
      } else {
        words[channel] = 0
      }
      channel &+= 1
    }
    words.add(1, to: Self.looks)
  }

  /// Resets the count of looks.
  /// - Thread: [control], while there is no kernel.
  func forget() { words[Self.looks] = 0 }
}
