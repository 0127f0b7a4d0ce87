// A sounding voice of FluidSynth.

import CFluidSynth

/// A voice from the list of `Vouched.voices`; valid until the next block.
struct Voice: BitwiseCopyable {
  private let voice: OpaquePointer

  @_noLocks @_noAllocation
  init(_ voice: OpaquePointer) { self.voice = voice }

  var channel: Int32 { @_noLocks @_noAllocation get { Vouched.voiceChannel(voice) } }
  var key: Int32 { @_noLocks @_noAllocation get { Vouched.voiceKey(voice) } }
  /// Whether its key is down.
  var isOn: Bool { @_noLocks @_noAllocation get { Vouched.voiceIsOn(voice) } }
  var isHeldByPedal: Bool { @_noLocks @_noAllocation get { Vouched.voiceIsHeld(voice) } }

  var isSostenuto: Bool { @_noLocks @_noAllocation get { Vouched.voiceIsSostenuto(voice) } }

  /// The exclusive class; 0 for none.
  var exclusiveClass: Int32 {
    @_noLocks @_noAllocation get {
      Int32(Vouched.voiceGenerator(voice, Int32(GEN_EXCLUSIVECLASS.rawValue)))
    }
  }

  /// A generator of the SoundFont, in its own unit.
  @_noLocks @_noAllocation
  func generator(_ number: fluid_gen_type) -> Float {
    Vouched.voiceGenerator(voice, Int32(number.rawValue))
  }

  /// Adds to the voice's pitch, in place of the last such addition. The voice follows the tuning
  /// only as far as it follows the key.
  @_noLocks @_noAllocation
  func setTuning(cents: Float) {
    let wanted = KeyTuning.wholeCents(cents * generator(GEN_SCALETUNE) / 100)
    let change = wanted - Vouched.voiceGenerator(voice, Self.tuningMark)
    if change == 0 { return }
    Vouched.setVoiceGenerator(
      voice, Int32(GEN_FINETUNE.rawValue), generator(GEN_FINETUNE) + change)
    Vouched.setVoiceGenerator(voice, Self.tuningMark, wanted)
  }

  /// Whether `beginFade` was called.
  var isFading: Bool {
    @_noLocks @_noAllocation get { Vouched.voiceGenerator(voice, Self.fadingMark) != 0 }
  }

  /// A class of no SoundFont: theirs end at 127.
  static var fadingClass: Int32 { @_noLocks @_noAllocation get { 32_000 } }

  /// Moves it into `fadingClass`, to be choked.
  @_noLocks @_noAllocation
  func beginFade() {
    Vouched.setVoiceGenerator(
      voice, Int32(GEN_EXCLUSIVECLASS.rawValue), Float(Self.fadingClass))
    Vouched.setVoiceGenerator(voice, Self.fadingMark, 1)
  }

  /// Makes its release FluidSynth's shortest; choking has made it longer than that.
  @_noLocks @_noAllocation
  func shortenRelease() {
    Vouched.setVoiceGenerator(voice, Int32(GEN_VOLENVRELEASE.rawValue), -12_000)
  }

  /// Makes it inaudible, whatever FluidSynth does with it.
  @_noLocks @_noAllocation
  func silence() {
    shortenRelease()
    Vouched.setVoiceGenerator(voice, Int32(GEN_ATTENUATION.rawValue), 1_440)
  }

  /// Generators without meaning.
  private static var tuningMark: Int32 {
    @_noLocks @_noAllocation get { Int32(GEN_UNUSED3.rawValue) }
  }
  private static var fadingMark: Int32 {
    @_noLocks @_noAllocation get { Int32(GEN_UNUSED4.rawValue) }
  }
}
