// The render side of a compressor, a limiter and a gate.

import DSP
import Realtime
import UnitRender

/// Multiplies all channels by gains, computed from the level of the loudest channel. With a
/// side-chain, the level is that of the second input.
///
/// - The channels are delayed by the look-ahead.
/// - While the input is silent and the gain rests, nothing is computed.
/// - NaN, and samples beyond 120 dB, count as a level of 120 dB.
///
/// The parameters are those of the computer, then the side-chain, then the read-only reduction, and
/// for some computers whether peaks between frames count as levels. Generic functions carry no
/// annotations: the compiler checks them where a unit's annotated render function calls them.
struct DynamicsKernel<Computer: GainComputer & ~Copyable>: RenderKernel, ~Copyable {
  private var computer: Computer
  private let channelCount: Int
  private let values: ParameterValues
  private var parameters: ParameterTable
  /// The index of the side-chain; the reduction and true peaks follow.
  private let sideChain: Int
  private var truePeaks: TruePeakLevels
  private var isTruePeak: Bool
  private let late: LateChannels?
  /// Levels, then gains.
  private let gains: UnsafeMutablePointer<Float>
  private let memory: DynamicsMemory
  private var isKeyed: Bool
  /// Frames of silent input so far, up to `restFrames`. Earlier input no longer has an effect then.
  private var quietFrames: Int
  private let restFrames: Int

  /// - Parameters:
  ///   - channelCount: channels of the first input and of the output.
  ///   - maximumFrames: the most frames of a call.
  ///   - values: the store for published values, in the order of the tree.
  ///   - parameters: the range of each parameter.
  ///   - sideChain: the side-chain's index in them.
  ///   - levelChannels: the most channels of an input that determines levels.
  /// - Thread: [control]
  init(
    _ computer: consuming Computer, channelCount: Int, maximumFrames: Int,
    values: ParameterValues, parameters: [ParameterLimits], sideChain: Int,
    levelChannels: Int, lookAheadFrames: Int
  ) {
    self.computer = computer
    self.channelCount = channelCount
    self.values = values
    self.parameters = ParameterTable(parameters, values: values)
    late =
      lookAheadFrames > 0 ? LateChannels(count: channelCount, frames: lookAheadFrames) : nil
    gains = .allocate(capacity: maximumFrames)
    gains.initialize(repeating: 0, count: maximumFrames)
    memory = DynamicsMemory(parameters: self.parameters, late: late, gains: gains)
    self.sideChain = sideChain
    isKeyed = values[sideChain] >= 0.5
    let findsTruePeaks = parameters.count > sideChain + 2
    isTruePeak = findsTruePeaks && values[sideChain + 2] >= 0.5
    truePeaks = TruePeakLevels(
      channelCount: findsTruePeaks ? levelChannels : 0, maximumFrames: maximumFrames)
    restFrames = max(lookAheadFrames, findsTruePeaks ? TruePeakLevels.memoryFrames : 0)
    quietFrames = restFrames
  }

  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    // The reduction is read-only.
    if event.pointee.address == UInt64(truncatingIfNeeded: sideChain &+ 1) { return }
    guard let change = parameters.change(event) else { return }
    if change.index == sideChain {
      if isKeyed != (change.value >= 0.5) { truePeaks.reset() }
      isKeyed = change.value >= 0.5
    } else if change.index == sideChain &+ 2 {
      if isTruePeak == (change.value >= 0.5) { return }
      isTruePeak = !isTruePeak
      truePeaks.reset()
      computer.setLate(frames: isTruePeak ? TruePeakLevels.delayFrames : 0)
    } else {
      _ = computer.answer(change.index, change.request)
    }
  }

  mutating func render(_ slice: RenderSlice) {
    let count = slice.frameCount
    let key = isKeyed && slice.call.call.pointee.inputBusCount > 1 ? 1 : 0
    let isSilent = isSilent(bus: 0, slice)
    if isSilent && quietFrames >= restFrames && computer.isAtRest
      && (key == 0 || self.isSilent(bus: key, slice))
    {
      computer.skip(count)
      pass(slice)
    } else {
      quietFrames = isSilent ? min(quietFrames &+ count, restFrames) : 0
      findLevels(bus: key, slice)
      computer.process(gains, count: count)
      pass(slice)
      multiply(slice)
    }
  }

  mutating func skip(_ frameCount: Int) { computer.skip(frameCount) }

  /// Writes the frames of all channels, delayed by the look-ahead.
  private func pass(_ slice: RenderSlice) {
    var channel = 0
    while channel < channelCount {
      let (input, output) = (slice.input(channel: channel), slice.output(channel: channel))
      if let late {
        late.pass(input, to: output, count: slice.frameCount, channel: channel)
      } else {
        Samples.copy(input, to: output, count: slice.frameCount)
      }
      channel &+= 1
    }
  }

  private func isSilent(bus: Int, _ slice: RenderSlice) -> Bool {
    var channel = 0
    while channel < slice.call.input(bus).channelCount {
      let samples = slice.input(bus: bus, channel: channel)
      if !Samples.isSilent(samples, count: slice.frameCount) { return false }
      channel &+= 1
    }
    return true
  }

  /// Writes the level of the loudest channel of each frame.
  private mutating func findLevels(bus: Int, _ slice: RenderSlice) {
    let count = slice.frameCount
    Samples.clear(gains, count: count)
    var channel = 0
    while channel < slice.call.input(bus).channelCount {
      let samples = slice.input(bus: bus, channel: channel)
      var frame = 0
      while frame < count {
        let magnitude = samples[frame].magnitude
        let level = magnitude < 1e6 ? magnitude : 1e6
        gains[frame] = level > gains[frame] ? level : gains[frame]
        frame &+= 1
      }
      if isTruePeak { truePeaks.raise(gains, by: samples, count: count, channel: channel) }
      channel &+= 1
    }
  }

  private func multiply(_ slice: RenderSlice) {
    var channel = 0
    while channel < channelCount {
      let output = slice.output(channel: channel)
      var frame = 0
      while frame < slice.frameCount {
        output[frame] *= gains[frame]
        frame &+= 1
      }
      channel &+= 1
    }
  }

  mutating func end(_ call: RenderCallView) {
    let isBypassed = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    values[sideChain &+ 1] = isBypassed ? 0 : Float(computer.reductionDecibels)
    if !parameters.takeFollowed() { return }
    var index = 0
    while index < sideChain {
      if let reading = computer.answer(index, .reading) {
        parameters.publish(Float(reading), ofParameter: index)
      }
      index &+= 1
    }
  }

  mutating func reset() {
    computer.reset()
    truePeaks.reset()
    late?.clear()
    quietFrames = restFrames
  }
}

// Conformances are in the file of the code specialised for them: a build file by file does not see
// those of other files.

extension Compressor: GainComputer {
  /// Does nothing: a compressor gets no late levels.
  @_noLocks @_noAllocation
  mutating func setLate(frames: Int) {}

  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0: return threshold.answer(request)
    case 1: return ratio.answer(request)
    case 2: return knee.answer(request)
    case 3: if let attack = request.target { setAttack(milliseconds: attack) }
    case 4: if let release = request.target { setRelease(milliseconds: release) }
    default: return makeUp.answer(request)
    }
    return nil
  }
}

extension Limiter: GainComputer {
  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0: return gain(request)
    case 1: return ceiling.answer(request)
    default: if let release = request.target { setRelease(milliseconds: release) }
    }
    return nil
  }
}

extension Gate: GainComputer {
  /// Does nothing: a gate gets no late levels.
  @_noLocks @_noAllocation
  mutating func setLate(frames: Int) {}

  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0: return threshold.answer(request)
    case 1: return range.answer(request)
    case 2: if let attack = request.target { setAttack(milliseconds: attack) }
    case 3: if let hold = request.target { setHold(milliseconds: hold) }
    default: if let release = request.target { setRelease(milliseconds: release) }
    }
    return nil
  }
}

@_noLocks @_noAllocation
func compressorRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(DynamicsKernel<Compressor>.self, context, call)
}

@_noLocks @_noAllocation
func compressorReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(DynamicsKernel<Compressor>.self, context)
}

@_noLocks @_noAllocation
func limiterRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(DynamicsKernel<Limiter>.self, context, call)
}

@_noLocks @_noAllocation
func limiterReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(DynamicsKernel<Limiter>.self, context)
}

@_noLocks @_noAllocation
func gateRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(DynamicsKernel<Gate>.self, context, call)
}

@_noLocks @_noAllocation
func gateReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(DynamicsKernel<Gate>.self, context)
}

/// Owner of a kernel's memory, freed with the kernel. The type is not generic: Swift 6.3 may omit
/// the `deinit` of a generic type that is destroyed through a pointer.
private struct DynamicsMemory: ~Copyable {
  let parameters: ParameterTable
  let late: LateChannels?
  let gains: UnsafeMutablePointer<Float>

  deinit {
    parameters.deallocate()
    late?.deallocate()
    gains.deallocate()
  }
}
