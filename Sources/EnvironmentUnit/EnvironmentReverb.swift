// The reverb that all sources share, with its filter.

import DSP
import Realtime

/// A room, an equalizer band after it, and the level of both.
struct EnvironmentReverb: ~Copyable {
  private var room: Reverb
  private var leftFilter: Equalizer
  private var rightFilter: Equalizer
  /// The fade of the on switch: 1 is on, 0 off.
  private var heard: LinearRamp
  private var decibels: LinearRamp
  private var gain: Double
  /// Whether all audio state is cleared.
  private var isForgotten = true
  /// The input of a slice, and the room's output for it.
  let send: UnsafeMutablePointer<Float>
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>

  /// - Thread: [control]
  init(
    _ preset: ReverbPreset, isOn: Bool, decibels: Double, filter: Equalizer.Band,
    sampleRate: Double, maximumFrames: Int
  ) {
    var settings = Reverb.Settings()
    let values = preset.room()
    settings.decaySeconds = Double(values.decay)
    settings.damping = Double(values.damping) / 100
    settings.width = Double(values.width) / 100
    settings.level = 1
    room = Reverb(sampleRate: sampleRate, settings: settings)
    leftFilter = Equalizer(sampleRate: sampleRate, bands: [filter])
    rightFilter = Equalizer(sampleRate: sampleRate, bands: [filter])
    heard = LinearRamp(value: isOn ? 1 : 0, sampleRate: sampleRate)
    self.decibels = LinearRamp(value: decibels, sampleRate: sampleRate)
    gain = 0
    send = .allocate(capacity: maximumFrames)
    left = .allocate(capacity: maximumFrames)
    right = .allocate(capacity: maximumFrames)
    for memory in [send, left, right] { memory.initialize(repeating: 0, count: maximumFrames) }
    updateGain()
  }

  deinit {
    send.deallocate()
    left.deallocate()
    right.deallocate()
  }

  @_noLocks @_noAllocation
  mutating func set(_ preset: ReverbPreset) {
    let values = preset.room()
    room.setDecay(seconds: Double(values.decay))
    room.setDamping(Double(values.damping) / 100)
    room.rampWidth(to: Double(values.width) / 100, overFrames: 0)
  }

  @_noLocks @_noAllocation
  mutating func setOn(_ isOn: Bool) { heard.start(to: isOn ? 1 : 0, overFrames: 0) }

  @_noLocks @_noAllocation
  mutating func rampLevel(toDecibels value: Double, overFrames frames: UInt32) {
    decibels.start(to: value, overFrames: frames)
  }

  /// Sets a parameter of the filter: kind, frequency, gain, bandwidth, bypass.
  @_noLocks @_noAllocation
  mutating func setFilter(_ place: Int, to value: Double, overFrames frames: UInt32) {
    switch place {
    case 0:
      let kind = EqualizerBandKind(place: Int(saturating: value + 0.5))
      leftFilter.setKind(ofBand: 0, to: kind)
      rightFilter.setKind(ofBand: 0, to: kind)
    case 1:
      leftFilter.rampFrequency(ofBand: 0, toHertz: value, overFrames: frames)
      rightFilter.rampFrequency(ofBand: 0, toHertz: value, overFrames: frames)
    case 2:
      leftFilter.rampGain(ofBand: 0, toDecibels: value, overFrames: frames)
      rightFilter.rampGain(ofBand: 0, toDecibels: value, overFrames: frames)
    case 3:
      leftFilter.rampBandwidth(ofBand: 0, toOctaves: value, overFrames: frames)
      rightFilter.rampBandwidth(ofBand: 0, toOctaves: value, overFrames: frames)
    default:
      leftFilter.setBypass(ofBand: 0, to: value >= 0.5)
      rightFilter.setBypass(ofBand: 0, to: value >= 0.5)
    }
  }

  @_noLocks @_noAllocation
  mutating func takeLevelReading() -> Double? { decibels.takeReading() }

  @_noLocks @_noAllocation
  mutating func takeFilterReading(_ place: Int) -> Double? {
    switch place {
    case 1: leftFilter.takeFrequencyReading(ofBand: 0)
    case 2: leftFilter.takeGainReading(ofBand: 0)
    case 3: leftFilter.takeBandwidthReading(ofBand: 0)
    default: nil
    }
  }

  /// Adds the reverb of the sent input.
  @_noLocks @_noAllocation
  mutating func add(
    to leftOutput: UnsafeMutablePointer<Float>, _ rightOutput: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    let isOff = heard.value == 0 && !heard.isRamping
    let isSilent =
      isOff
      || room.isSilent && leftFilter.isAtRest && rightFilter.isAtRest
        && Samples.isSilent(send, count: count)
    if isSilent { return skip(count) }
    isForgotten = false
    room.process(input: send, left: left, right: right, frameCount: count)
    leftFilter.process(left, to: left, frameCount: count)
    rightFilter.process(right, to: right, frameCount: count)
    var frame = 0
    while frame < count && (heard.isRamping || decibels.isRamping) {
      heard.advance(by: 1)
      decibels.advance(by: 1)
      updateGain()
      leftOutput[frame] += left[frame] * Float(gain)
      rightOutput[frame] += right[frame] * Float(gain)
      frame &+= 1
    }
    let left = count &- frame
    Samples.add(self.left + frame, gain: Float(gain), to: leftOutput + frame, count: left)
    Samples.add(self.right + frame, gain: Float(gain), to: rightOutput + frame, count: left)
    // At the end of this slice, so that nothing of it is left whenever the next one begins.
    if heard.value == 0 && !heard.isRamping { forget() }
  }

  @_noLocks @_noAllocation
  private mutating func skip(_ count: Int) {
    room.skip(count)
    leftFilter.skip(count)
    rightFilter.skip(count)
    if heard.isRamping || decibels.isRamping {
      heard.advance(by: UInt32(truncatingIfNeeded: count))
      decibels.advance(by: UInt32(truncatingIfNeeded: count))
      updateGain()
    }
  }

  @_noLocks @_noAllocation
  private mutating func updateGain() {
    gain = heard.value * Muffling.amplitude(decibels: decibels.value)
  }

  /// Clears the audio state.
  @_noLocks @_noAllocation
  mutating func forget() {
    if isForgotten { return }
    isForgotten = true
    room.reset()
    leftFilter.reset()
    rightFilter.reset()
  }
}
