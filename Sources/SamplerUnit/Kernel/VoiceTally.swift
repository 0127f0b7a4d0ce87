// Counts of a sampler's voices.

import FluidSynthPool

/// Voices of all pools. Each cycle reads the counts several times; rendering the synths updates
/// them. Other beginnings or ends of voices make them unknown, to be counted again.
struct VoiceTally {
  /// Count of voices, including those fading out.
  var sounding = 0
  /// Count of voices beyond the polyphony. Between events it never grows.
  var surplus = 0
  /// Whether the counts are current.
  var isKnown = false

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  mutating func take(_ voices: Int, of pool: UnsafeMutablePointer<SynthPool>) {
    sounding &+= voices
    surplus &+= pool.pointee.surplus(of: voices)
  }
}

extension SamplerKernel {
  /// Counts the voices unless `voices` is known.
  @_noLocks @_noAllocation
  mutating func countVoices() {
    if voices.isKnown { return }
    voices = VoiceTally()
    voices.isKnown = true
    if let current { voices.take(current.pointee.soundingVoices, of: current) }
    var index = 0
    while index < ringing.count {
      voices.take(ringing[index].pointee.soundingVoices, of: ringing[index])
      index &+= 1
    }
  }
}
