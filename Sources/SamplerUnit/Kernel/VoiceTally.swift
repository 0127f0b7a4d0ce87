// How many voices of a sampler sound.

import FluidSynthPool

/// What all pools' voices come to. Each cycle asks for it several times, and the synths tell it
/// when they are rendered; what begins or ends a voice elsewhere has it counted again.
struct VoiceTally {
  /// Those that fade out too.
  var sounding = 0
  /// Those beyond what may sound. They become fewer where no event is, never more.
  var surplus = 0
  /// Whether nothing has happened since that may change it.
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
  /// Has `voices` known.
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
