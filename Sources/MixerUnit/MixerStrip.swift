// One input of the mixer: its controls, and the resulting gains.

import DSP
import Realtime

/// The controls of an input, and the gains from each of its channels to each of the mix.
struct MixerStrip {
  var volume: LinearRamp
  var pan: LinearRamp
  /// 1, or 0 where the input is muted, or others are solo.
  private var audible: LinearRamp
  /// The set values; under a bypass other values sound.
  var setVolume: Double
  var setPan: Double
  var isMuted: Bool
  var isSolo: Bool
  /// Whether the input is connected. A value set while it is not applies at once.
  var isConnected = false
  /// Whether a mono input in the middle is unchanged at left and right.
  private let isMonoAtUnity: Bool
  /// Gains without the volume; those of one output are adjacent.
  private let matrix: UnsafeMutablePointer<Double>
  let gains: UnsafeMutablePointer<Float>
  /// The values that the gains were made for; 0 channels before the first.
  private var channelCount = 0
  private var matrixPan = 0.0
  private var gainVolume = 0.0

  /// - Parameter isBypassed: whether the strip starts bypassed.
  /// - Thread: [control]
  init(
    volume: Double, pan: Double, isMuted: Bool, isSolo: Bool, isBypassed: Bool, outputs: Int,
    isMonoAtUnity: Bool, sampleRate: Double
  ) {
    self.isMonoAtUnity = isMonoAtUnity
    (setVolume, setPan) = (volume, pan)
    (self.isMuted, self.isSolo) = (isMuted, isSolo)
    audible = LinearRamp(value: 1, sampleRate: sampleRate)
    self.volume = LinearRamp(value: isBypassed ? 1 : volume, sampleRate: sampleRate)
    self.pan = LinearRamp(value: isBypassed ? 0 : pan, sampleRate: sampleRate)
    let count = MixMatrix.mostChannels * outputs
    matrix = .allocate(capacity: count)
    matrix.initialize(repeating: 0, count: count)
    gains = .allocate(capacity: count)
    gains.initialize(repeating: 0, count: count)
  }

  /// - Thread: [control]
  func deallocate() {
    matrix.deallocate()
    gains.deallocate()
  }

  var isRamping: Bool {
    @_noLocks @_noAllocation get { volume.isRamping || pan.isRamping || audible.isRamping }
  }

  /// Sets the volume, which sounds unless the mixer is bypassed.
  @_noLocks @_noAllocation
  mutating func setVolume(_ value: Double, overFrames frames: UInt32, isBypassed: Bool) {
    setVolume = value
    if isBypassed { return }
    Self.move(&volume, to: value, overFrames: frames, isConnected)
  }

  /// Sets the pan, which sounds unless the mixer is bypassed.
  @_noLocks @_noAllocation
  mutating func setPan(_ value: Double, overFrames frames: UInt32, isBypassed: Bool) {
    setPan = value
    if isBypassed { return }
    Self.move(&pan, to: value, overFrames: frames, isConnected)
  }

  /// Fades the input in or out, unless it is so already. A new input begins as it is.
  @_noLocks @_noAllocation
  mutating func setAudible(_ isAudible: Bool) {
    let value = isAudible ? 1.0 : 0
    if audible.target == value { return }
    Self.move(&audible, to: value, overFrames: 0, isConnected)
  }

  @_noLocks @_noAllocation
  private static func move(
    _ control: inout LinearRamp, to value: Double, overFrames frames: UInt32, _ isConnected: Bool
  ) {
    if frames == 0, !isConnected {
      control.set(immediately: value)
    } else {
      control.start(to: value, overFrames: frames)
    }
  }

  /// Advances the controls.
  @_noLocks @_noAllocation
  mutating func advance(by frames: UInt32) {
    volume.advance(by: frames)
    pan.advance(by: frames)
    audible.advance(by: frames)
  }

  /// Advances the controls over frames without a signal.
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) {
    if isRamping { advance(by: UInt32(truncatingIfNeeded: frameCount)) }
  }

  /// Ramps to the values of a bypassed mixer, or back to the set ones, without a click.
  @_noLocks @_noAllocation
  mutating func setBypassed(_ isBypassed: Bool) {
    volume.start(to: isBypassed ? 1 : setVolume, overFrames: 0)
    pan.start(to: isBypassed ? 0 : setPan, overFrames: 0)
  }

  /// Updates the gains to the current values of the controls.
  @_noLocks @_noAllocation
  mutating func updateGains(from inputs: Int, to outputs: Int) {
    let level = volume.value * audible.value
    let isOther = channelCount != inputs || matrixPan != pan.value
    if isOther {
      MixMatrix.fill(matrix, from: inputs, to: outputs, pan: pan.value)
      if isMonoAtUnity, inputs == 1, outputs > 1 { fillMonoAtUnity(pan: pan.value) }
      channelCount = inputs
      matrixPan = pan.value
    } else if gainVolume == level {
      return
    }
    gainVolume = level
    var index = 0
    while index < inputs &* outputs {
      gains[index] = Float(matrix[index] * gainVolume)
      index &+= 1
    }
  }

  /// Writes the gains of a mono input to left and right: 1 in the middle and on the pan's side.
  @_noLocks @_noAllocation
  private func fillMonoAtUnity(pan: Double) {
    matrix[0] = pan > 0 ? PanLaw.stereo(pan).stays : 1
    matrix[1] = pan < 0 ? PanLaw.stereo(-pan).stays : 1
  }
}
