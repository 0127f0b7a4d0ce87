// What the render side says of the presets that the channels play.

import FluidSynthPool
import Realtime

/// The preset of each MIDI channel, as the address that FluidSynth knows it by.
///
/// The value is a handle: copies name the same memory. It outlives the kernels of a unit.
struct PlayedPresets: Sendable, BitwiseCopyable {
  private static var channelCount: Int { @_noLocks @_noAllocation get { 16 } }
  /// Behind the channels: how often the render side has looked.
  private static var looks: Int { @_noLocks @_noAllocation get { 16 } }

  private let words = AtomicCounters(count: 17)

  /// - Thread: [control], once nobody uses it any more.
  func deallocate() { words.deallocate() }

  /// How often the render side has looked, 0 where it has not.
  var lookCount: Int { words[Self.looks] }

  /// The address of the preset of a channel, 0 for none.
  subscript(channel: Int) -> Int { words[channel] }

  /// Takes down what a pool plays. It is not inlined, for it is seldom done.
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

  /// Forgets what was seen.
  /// - Thread: [control], while there is no kernel.
  func forget() { words[Self.looks] = 0 }
}
