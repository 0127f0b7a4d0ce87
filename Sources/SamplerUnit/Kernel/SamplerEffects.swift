// The sampler's reverb and chorus, with their parameters.

import DSP
import FluidSynthPool
import Realtime
import UnitRender

/// The effects of a sampler.
///
/// An effect that is switched off loses its input over 20 ms and rings out. Its levels and the
/// width ramp; its other parameters take the target of a ramp at once, and are smoothed.
struct SamplerEffects: ~Copyable {
  private typealias Index = SamplerParameterIndex

  private var reverb: Reverb
  private var chorus: Chorus
  /// 1 while the effect is on, 0 while it is off.
  private var reverbInput: LinearRamp
  private var chorusInput: LinearRamp

  /// - Thread: [control]
  init(sampleRate: Double) {
    reverb = Reverb(sampleRate: sampleRate)
    chorus = Chorus(sampleRate: sampleRate)
    reverbInput = LinearRamp(value: 0, sampleRate: sampleRate)
    chorusInput = LinearRamp(value: 0, sampleRate: sampleRate)
  }

  /// Whether an effect sounds, or is still being switched.
  var isSounding: Bool {
    @_noLocks @_noAllocation get {
      !reverb.isSilent || !chorus.isSilent || reverbInput.isRamping || chorusInput.isRamping
    }
  }

  /// Applies the parameters' values before the first call.
  @_noLocks @_noAllocation
  mutating func readParameters(_ values: ParameterValues) {
    var index = Index.reverbRoomSize
    while index < Index.count {
      set(index, to: values[index], overFrames: 1)
      index &+= 1
    }
    readSwitches(values)
    reset()
  }

  /// Applies the switches. They are no events: the control side makes synths for them.
  @_noLocks @_noAllocation
  mutating func readSwitches(_ values: ParameterValues) {
    let isReverbOn = values[Index.reverbOn] >= 0.5 ? 1.0 : 0
    if reverbInput.target != isReverbOn { reverbInput.start(to: isReverbOn, overFrames: 0) }
    let isChorusOn = values[Index.chorusOn] >= 0.5 ? 1.0 : 0
    if chorusInput.target != isChorusOn { chorusInput.start(to: isChorusOn, overFrames: 0) }
  }

  /// Sets a parameter by its index.
  @_noLocks @_noAllocation
  mutating func set(_ index: Int, to value: Float, overFrames frames: UInt32) {
    let number = Double(value)
    switch index {
    case Index.reverbRoomSize: reverb.setRoomSize(number)
    case Index.reverbDamping: reverb.setDamping(number)
    case Index.reverbWidth: reverb.rampWidth(to: number, overFrames: frames)
    case Index.reverbLevel: reverb.rampLevel(to: number, overFrames: frames)
    case Index.chorusVoices: chorus.setVoices(Int(saturating: Double(max(0, min(value, 99)) + 0.5)))
    case Index.chorusLevel: chorus.rampLevel(to: number, overFrames: frames)
    case Index.chorusSpeed: chorus.setSpeed(hertz: number)
    case Index.chorusDepth: chorus.setDepth(milliseconds: number)
    case Index.chorusType: chorus.setTriangle(value >= 0.5)
    default: break
    }
  }

  /// Whether a parameter ramps, so that its value is published during the ramp.
  @_noLocks @_noAllocation
  func isRamp(_ index: Int, overFrames frames: UInt32) -> Bool {
    switch index {
    case Index.reverbWidth, Index.reverbLevel, Index.chorusLevel: frames > 0
    default: false
    }
  }

  /// Publishes the sounding values of ramping parameters.
  @_noLocks @_noAllocation
  mutating func publishRamps(_ values: ParameterValues) {
    if let width = reverb.takeWidthReading() { values[Index.reverbWidth] = Float(width) }
    if let level = reverb.takeLevelReading() { values[Index.reverbLevel] = Float(level) }
    if let level = chorus.takeLevelReading() { values[Index.chorusLevel] = Float(level) }
  }

  /// Advances the parameters while nothing sounds.
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) {
    reverb.skip(frameCount)
    chorus.skip(frameCount)
  }

  /// Clears all sound; the parameters stay.
  @_noLocks @_noAllocation
  mutating func reset() {
    reverb.reset()
    chorus.reset()
    reverbInput.set(immediately: reverbInput.target)
    chorusInput.set(immediately: chorusInput.target)
  }

  /// Renders the reverb of the mix and adds it to an output.
  @_noLocks @_noAllocation
  mutating func addReverb(
    of mix: SamplerMix, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    Self.apply(&reverbInput, to: mix.reverbSend, count)
    reverb.process(
      input: mix.reverbSend, left: mix.wetLeft, right: mix.wetRight, frameCount: count)
    Samples.add(mix.wetLeft, to: left, count: count)
    Samples.add(mix.wetRight, to: right, count: count)
  }

  /// Renders the chorus of the mix and adds it to an output.
  @_noLocks @_noAllocation
  mutating func addChorus(
    of mix: SamplerMix, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    Self.apply(&chorusInput, to: mix.chorusSend, count)
    chorus.process(
      input: mix.chorusSend, left: mix.wetLeft, right: mix.wetRight, frameCount: count)
    Samples.add(mix.wetLeft, to: left, count: count)
    Samples.add(mix.wetRight, to: right, count: count)
  }

  @_noLocks @_noAllocation
  private static func apply(
    _ gain: inout LinearRamp, to samples: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if !gain.isRamping {
      if gain.value == 0 { Samples.clear(samples, count: count) }
      return
    }
    var frame = 0
    while frame < count {
      samples[frame] *= Float(gain.next())
      frame += 1
    }
  }
}
