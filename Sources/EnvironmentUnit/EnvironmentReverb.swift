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
  /// The level in decibels.
  var decibels: LinearRamp
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

  /// Changes or reads a setting of the filter.
  @_noLocks @_noAllocation
  mutating func filter(_ setting: Equalizer.BandSetting, _ request: ParameterRequest) -> Double? {
    _ = rightFilter.setting(setting, ofBand: 0, request)
    return leftFilter.setting(setting, ofBand: 0, request)
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
