// Application and publication of parameters.

import FluidSynthPool
import MIDIStages
import Realtime
import UnitRender

/// Indices of the sampler's own parameters in its tree, which are also their addresses and never
/// change. Those of the MIDI chain follow.
enum SamplerParameterIndex {
  static var gain: Int { @_noLocks @_noAllocation get { 0 } }
  static var pan: Int { @_noLocks @_noAllocation get { 1 } }
  static var transpose: Int { @_noLocks @_noAllocation get { 2 } }
  static var tuning: Int { @_noLocks @_noAllocation get { 3 } }
  static var polyphony: Int { @_noLocks @_noAllocation get { 4 } }
  static var interpolation: Int { @_noLocks @_noAllocation get { 5 } }
  static var synths: Int { @_noLocks @_noAllocation get { 6 } }
  static var reverbOn: Int { @_noLocks @_noAllocation get { 7 } }
  static var reverbRoomSize: Int { @_noLocks @_noAllocation get { 8 } }
  static var reverbDamping: Int { @_noLocks @_noAllocation get { 9 } }
  static var reverbWidth: Int { @_noLocks @_noAllocation get { 10 } }
  static var reverbLevel: Int { @_noLocks @_noAllocation get { 11 } }
  static var chorusOn: Int { @_noLocks @_noAllocation get { 12 } }
  static var chorusVoices: Int { @_noLocks @_noAllocation get { 13 } }
  static var chorusLevel: Int { @_noLocks @_noAllocation get { 14 } }
  static var chorusSpeed: Int { @_noLocks @_noAllocation get { 15 } }
  static var chorusDepth: Int { @_noLocks @_noAllocation get { 16 } }
  static var chorusType: Int { @_noLocks @_noAllocation get { 17 } }
  static var minimumNoteLength: Int { @_noLocks @_noAllocation get { 18 } }
  static var count: Int { @_noLocks @_noAllocation get { 19 } }
}

extension SamplerKernel {
  /// Applies a parameter event. Only gain and the levels and width of effects ramp; others take the
  /// target of a ramp at once. An entry's parameters do not change ringing pools, except effects,
  /// and gain if no pool has taken over for the entry.
  @_noLocks @_noAllocation
  mutating func setParameter(_ event: RenderEvent) {
    let value = event.value
    if value != value { return }
    if event.address >= UInt64(SamplerParameterIndex.count) {
      // The chain has applied it before.
      return chain.publish(event)
    }
    switch Int(event.address) {
    case SamplerParameterIndex.gain:
      let target = Double(clamp(value, -60, 24))
      if event.cable == LiveTable.mark && hasEntered {
        setGainOfEntry(target)
      } else {
        gain.start(to: target, overFrames: event.rampFrames)
      }
      isGainRamp = event.rampFrames > 0
      if isGainRamp { return }
    case SamplerParameterIndex.reverbOn...SamplerParameterIndex.chorusType:
      effects.set(Int(event.address), to: value, overFrames: event.rampFrames)
      if effects.isRamp(Int(event.address), overFrames: event.rampFrames) { return }
    default: setStepped(Int(event.address), value, isOfEntry: event.cable == LiveTable.mark)
    }
    values[Int(event.address)] = value
  }

  /// Sets the gain of an entry whose pool has just taken over. Ringing pools keep their level.
  @_noLocks @_noAllocation
  private mutating func setGainOfEntry(_ decibels: Double) {
    let factor = Vouched.amplitude(decibels: max(gain.value - decibels, -60))
    var index = 0
    while index < ringing.count {
      ringing[index].pointee.level *= factor
      index &+= 1
    }
    gain.set(immediately: decibels)
    level = Vouched.amplitude(decibels: decibels)
  }

  @_noLocks @_noAllocation
  func isGainOrEffect(_ address: UInt64) -> Bool {
    address == SamplerParameterIndex.gain
      || (address >= SamplerParameterIndex.reverbOn && address <= SamplerParameterIndex.chorusType)
  }

  @_noLocks @_noAllocation
  private mutating func setStepped(_ index: Int, _ value: Float, isOfEntry: Bool) {
    switch index {
    case SamplerParameterIndex.pan:
      pan = UInt8(clamp(value, 0, 127) + 0.5)
      var channel = 0
      while channel < 16 {
        controller(channel, 10, pan, isForCurrentAlone: isOfEntry)
        channel &+= 1
      }
    case SamplerParameterIndex.transpose:
      transpose = clamp(value, -24, 24)
      updatePitch(isForCurrentAlone: isOfEntry)
    case SamplerParameterIndex.tuning:
      tuningHertz = clamp(value, 400, 480)
      updatePitch(isForCurrentAlone: isOfEntry)
    case SamplerParameterIndex.interpolation:
      settings.interpolation = Self.interpolation(clamp(value, 0, 3))
      if let current { current.pointee.apply(settings, scratch) }
    default: break  // the others belong to the pool that the control side prepares
    }
  }

  /// Applies the parameters' values before the first call.
  @_noLocks @_noAllocation
  mutating func readParameters() {
    gain.set(immediately: Double(clamp(values[SamplerParameterIndex.gain], -60, 24)))
    level = Vouched.amplitude(decibels: gain.value)
    pan = UInt8(clamp(values[SamplerParameterIndex.pan], 0, 127) + 0.5)
    panUntouchedChannels()
    effects.readParameters(values)
    transpose = values[SamplerParameterIndex.transpose]
    tuningHertz = values[SamplerParameterIndex.tuning]
    settings.interpolation = Self.interpolation(
      clamp(values[SamplerParameterIndex.interpolation], 0, 3))
    updatePitch()
  }

  @_noLocks @_noAllocation
  func panUntouchedChannels() {
    if pan == 64 { return }
    var channel = 0
    while channel < 16 {
      if !channels[channel].pointee.isSet[10] { channels[channel].pointee.setController(10, pan) }
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  private static func interpolation(_ value: Float) -> Int32 {
    value < 0.5 ? 0 : value < 1.5 ? 1 : value < 2.5 ? 4 : 7
  }

  @_noLocks @_noAllocation
  private func clamp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value > low ? (value < high ? value : high) : low
  }
}
