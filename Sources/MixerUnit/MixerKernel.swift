// The mixer's render side.

import DSP
import Realtime
import UnitRender

/// Adds the inputs of a call, in order, each by the gains of its strip.
struct MixerKernel: RenderKernel, ~Copyable {
  /// The strips; strip n has the parameters 1 + 4n to 4 + 4n: volume, pan, mute, solo. Parameter 0
  /// is the mix's volume.
  private let strips: UnsafeMutablePointer<MixerStrip>
  private let stripCount: Int
  private let outputCount: Int
  private let values: ParameterValues
  private var volume: LinearRamp
  private var setVolume: Double
  private let sum: MixSum
  private var isBypassed: Bool
  /// Whether a parameter may have a reading.
  private var isFollowed = false

  /// - Parameters:
  ///   - values: the parameters' values by address.
  ///   - outputCount: channels of the mix.
  ///   - isMonoAtUnity: as in `MixerLayout`.
  /// - Thread: [control]
  init(
    stripCount: Int, outputCount: Int, isMonoAtUnity: Bool, sampleRate: Double,
    values: ParameterValues, isBypassed: Bool
  ) {
    self.stripCount = stripCount
    self.outputCount = outputCount
    self.values = values
    self.isBypassed = isBypassed
    setVolume = Double(values[0])
    volume = LinearRamp(value: isBypassed ? 1 : setVolume, sampleRate: sampleRate)
    sum = MixSum(outputCount: outputCount)
    strips = .allocate(capacity: stripCount)
    for index in 0..<stripCount {
      let first = 1 + 4 * index
      (strips + index).initialize(
        to: MixerStrip(
          volume: Double(values[first]), pan: Double(values[first + 1]),
          isMuted: values[first + 2] >= 0.5, isSolo: values[first + 3] >= 0.5,
          isBypassed: isBypassed, outputs: outputCount, isMonoAtUnity: isMonoAtUnity,
          sampleRate: sampleRate))
    }
  }

  deinit {
    for index in 0..<stripCount { strips[index].deallocate() }
    strips.deinitialize(count: stripCount)
    strips.deallocate()
    sum.deallocate()
  }

  /// The highest volume: 12 dB.
  static var mostVolume: Float { @_noLocks @_noAllocation get { 4 } }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  /// Takes the call's bypass. A bypassed mixer adds its inputs unchanged: volumes are 1, nothing is
  /// panned, and all are audible.
  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let bypass = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    if bypass == isBypassed { return }
    isBypassed = bypass
    volume.start(to: bypass ? 1 : setVolume, overFrames: 0)
    if isFollowed { values[0] = Float(setVolume) }
    var index = 0
    while index < stripCount {
      strips[index].setBypassed(bypass)
      if isFollowed {
        values[1 &+ 4 &* index] = Float(strips[index].setVolume)
        values[2 &+ 4 &* index] = Float(strips[index].setPan)
      }
      index &+= 1
    }
    isFollowed = false
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard event.pointee.isParameter,
      event.pointee.address <= UInt64(truncatingIfNeeded: 4 &* stripCount)
    else { return }
    let address = Int(truncatingIfNeeded: event.pointee.address)
    let (value, frames) = (event.pointee.value, event.pointee.rampFrames)
    if address == 0 {
      setVolume = Double(value)
      if !isBypassed { volume.start(to: setVolume, overFrames: frames) }
      publish(setVolume, at: 0, frames)
      return
    }
    let strip = strips + ((address &- 1) &>> 2)
    var isSwitch = false
    switch (address &- 1) & 3 {
    case 0: strip.pointee.setVolume(Double(value), overFrames: frames, isBypassed: isBypassed)
    case 1: strip.pointee.setPan(Double(value), overFrames: frames, isBypassed: isBypassed)
    case 2: (strip.pointee.isMuted, isSwitch) = (value >= 0.5, true)
    default: (strip.pointee.isSolo, isSwitch) = (value >= 0.5, true)
    }
    publish(Double(value), at: address, isSwitch ? 0 : frames)
  }

  /// Whether a connected input is solo.
  @_noLocks @_noAllocation
  private func hasSolo(_ slice: RenderSlice, _ busCount: Int) -> Bool {
    var index = 0
    while index < stripCount && index < busCount {
      if strips[index].isSolo && slice.call.input(index).channelCount > 0 { return true }
      index &+= 1
    }
    return false
  }

  /// Publishes a set value as it was set; a ramping one is published at the end of the call.
  @_noLocks @_noAllocation
  private mutating func publish(_ value: Double, at address: Int, _ rampFrames: UInt32) {
    if rampFrames == 0 || isBypassed { values[address] = Float(value) } else { isFollowed = true }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var channel = 0
    while channel < outputCount {
      Samples.clear(slice.output(channel: channel), count: slice.frameCount)
      channel &+= 1
    }
    let busCount = Int(slice.call.call.pointee.inputBusCount)
    let hasSolo = hasSolo(slice, busCount)
    var index = 0
    while index < stripCount {
      let inputs = index < busCount ? slice.call.input(index).channelCount : 0
      strips[index].setAudible(
        isBypassed || (!strips[index].isMuted && (!hasSolo || strips[index].isSolo)))
      strips[index].isConnected = inputs > 0
      if MixMatrix.exists(from: inputs, to: outputCount) {
        mix(index, inputs, slice)
      } else {
        strips[index].skip(slice.frameCount)
      }
      index &+= 1
    }
    sum.finish(slice)
    scale(slice)
  }

  /// Adds an input: frame by frame while its controls ramp, the rest as a whole.
  @_noLocks @_noAllocation
  private mutating func mix(_ bus: Int, _ inputs: Int, _ slice: RenderSlice) {
    let strip = strips + bus
    var frame = 0
    if strip.pointee.isRamping {
      sum.finish(slice)
      while frame < slice.frameCount && strip.pointee.isRamping {
        strip.pointee.advance(by: 1)
        strip.pointee.updateGains(from: inputs, to: outputCount)
        addFrame(frame, bus, inputs, slice)
        frame &+= 1
      }
      if frame == slice.frameCount { return }
    }
    strip.pointee.updateGains(from: inputs, to: outputCount)
    var input = 0
    while input < inputs {
      let source = slice.input(bus: bus, channel: input) + frame
      if !Samples.isSilent(source, count: slice.frameCount &- frame) {
        var output = 0
        while output < outputCount {
          let gain = strip.pointee.gains[output &* inputs &+ input]
          if gain != 0 { sum.add(source, gain: gain, to: output, from: frame, slice) }
          output &+= 1
        }
      }
      input &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func addFrame(_ frame: Int, _ bus: Int, _ inputs: Int, _ slice: RenderSlice) {
    let gains = strips[bus].gains
    var input = 0
    while input < inputs {
      let sample = slice.input(bus: bus, channel: input)[frame]
      var output = 0
      while output < outputCount {
        slice.output(channel: output)[frame] += sample * gains[output &* inputs &+ input]
        output &+= 1
      }
      input &+= 1
    }
  }

  /// Applies the volume of the mix.
  @_noLocks @_noAllocation
  private mutating func scale(_ slice: RenderSlice) {
    var frame = 0
    var channel = 0
    while frame < slice.frameCount && volume.isRamping {
      volume.advance(by: 1)
      channel = 0
      while channel < outputCount {
        slice.output(channel: channel)[frame] *= Float(volume.value)
        channel &+= 1
      }
      frame &+= 1
    }
    if frame == slice.frameCount || volume.value == 1 { return }
    channel = 0
    while channel < outputCount {
      Samples.scale(
        slice.output(channel: channel) + frame, by: Float(volume.value),
        count: slice.frameCount &- frame)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if !isFollowed { return }
    isFollowed = false
    read(volume.takeReading(), at: 0)
    var index = 0
    while index < stripCount {
      read(strips[index].volume.takeReading(), at: 1 &+ 4 &* index)
      read(strips[index].pan.takeReading(), at: 2 &+ 4 &* index)
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func read(_ reading: Double?, at address: Int) {
    guard let reading else { return }
    values[address] = Float(reading)
    isFollowed = true
  }

  /// Does nothing: the mixer has no audio state.
  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func mixerRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(MixerKernel.self, context, call)
}

@_noLocks @_noAllocation
func mixerReset(_ context: UnsafeMutableRawPointer) { resetKernel(MixerKernel.self, context) }
