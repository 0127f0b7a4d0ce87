// The render side of a reverb and a chorus.

import DSP
import Realtime
import UnitRender

/// Mixes an effect of the channels' mean into each of them. The left output goes to the first
/// channel, the right one to the second, their mean to a single one.
///
/// While the input is silent and the effect rests, nothing is computed.
///
/// The parameters are those of the effect, then the mix. Generic functions carry no annotations:
/// the compiler checks them where a unit's annotated render function calls them.
struct WetKernel<Effect: WetEffect & ~Copyable>: RenderKernel, ~Copyable {
  private var effect: Effect
  private let inputCount: Int
  private let outputCount: Int
  private var parameters: ParameterTable
  /// The mix in per cent.
  private var mix: LinearRamp
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  /// The share of the effect in each frame.
  private let parts: UnsafeMutablePointer<Float>
  private let memory: WetMemory

  /// - Parameters:
  ///   - inputCount: channels, 1 or 2; at most `outputCount`, 1 or 2.
  ///   - maximumFrames: the most frames of a call.
  ///   - values: the store for published values, in the order of the tree.
  ///   - parameters: the range of each parameter; the mix is the last.
  /// - Thread: [control]
  init(
    _ effect: consuming Effect, inputCount: Int, outputCount: Int, sampleRate: Double,
    maximumFrames: Int, values: ParameterValues, parameters: [ParameterLimits]
  ) {
    self.effect = effect
    self.inputCount = inputCount
    self.outputCount = outputCount
    self.parameters = ParameterTable(parameters, values: values)
    mix = LinearRamp(value: Double(values[parameters.count - 1]), sampleRate: sampleRate)
    left = .allocate(capacity: maximumFrames)
    right = .allocate(capacity: maximumFrames)
    parts = .allocate(capacity: maximumFrames)
    for samples in [left, right, parts] { samples.initialize(repeating: 0, count: maximumFrames) }
    memory = WetMemory(parameters: self.parameters, left: left, right: right, parts: parts)
  }

  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard let change = parameters.change(event) else { return }
    _ = answer(change.index, change.request)
  }

  private mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    index == parameters.count &- 1 ? mix.answer(request) : effect.answer(index, request)
  }

  mutating func render(_ slice: RenderSlice) {
    let count = slice.frameCount
    if effect.isSilent && isSilent(slice) {
      skip(count)
      clear(slice)
      return
    }
    // The effect reads and writes the same memory.
    sum(slice)
    effect.process(input: left, left: left, right: right, frameCount: count)
    findParts(count)
    blend(slice)
  }

  mutating func skip(_ count: Int) {
    effect.skip(count)
    mix.advance(by: UInt32(truncatingIfNeeded: count))
  }

  private func isSilent(_ slice: RenderSlice) -> Bool {
    var channel = 0
    while channel < inputCount {
      if !Samples.isSilent(slice.input(channel: channel), count: slice.frameCount) {
        return false
      }
      channel &+= 1
    }
    return true
  }

  private func clear(_ slice: RenderSlice) {
    var channel = 0
    while channel < outputCount {
      Samples.clear(slice.output(channel: channel), count: slice.frameCount)
      channel &+= 1
    }
  }

  /// Writes the mean of the input channels to `left`.
  private func sum(_ slice: RenderSlice) {
    Samples.copy(slice.input(channel: 0), to: left, count: slice.frameCount)
    if inputCount > 1 {
      Samples.add(slice.input(channel: 1), to: left, count: slice.frameCount)
      Samples.scale(left, by: 0.5, count: slice.frameCount)
    }
  }

  private mutating func findParts(_ count: Int) {
    var frame = 0
    while frame < count {
      parts[frame] = Float(mix.next() / 100)
      frame &+= 1
    }
  }

  /// Mixes the second channel first, as the first one's memory may be the input's.
  private func blend(_ slice: RenderSlice) {
    if outputCount == 1 {
      Samples.add(right, to: left, count: slice.frameCount)
      Samples.scale(left, by: 0.5, count: slice.frameCount)
    }
    var channel = outputCount
    while channel > 0 {
      channel &-= 1
      let input = slice.input(channel: min(channel, inputCount &- 1))
      let output = slice.output(channel: channel)
      let wet = channel == 0 ? left : right
      var frame = 0
      while frame < slice.frameCount {
        let dry = input[frame]
        output[frame] = dry * (1 - parts[frame]) + wet[frame] * parts[frame]
        frame &+= 1
      }
    }
  }

  mutating func end(_ call: RenderCallView) {
    if !parameters.takeFollowed() { return }
    var index = 0
    while index < parameters.count {
      if let reading = answer(index, .reading) {
        parameters.publish(Float(reading), ofParameter: index)
      }
      index &+= 1
    }
  }

  mutating func reset() { effect.reset() }
}

// Conformances are in the file of the code specialised for them: a build file by file does not see
// those of other files.

extension Reverb: WetEffect {
  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    switch index {
    case 0: if let decay = request.target { setDecay(seconds: decay) }
    case 1: if let damping = request.target { setDamping(damping / 100) }
    default: return width(request)
    }
    return nil
  }

  /// Ramps the width, in per cent.
  @_noLocks @_noAllocation
  private mutating func width(_ request: ParameterRequest) -> Double? {
    switch request {
    case .start(let target, let frames):
      rampWidth(to: target / 100, overFrames: frames)
      return nil
    case .reading:
      guard let width = takeWidthReading() else { return nil }
      return width * 100
    }
  }
}

extension Chorus: WetEffect {
  /// No parameter of a chorus but the mix ramps.
  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? {
    guard let value = request.target else { return nil }
    switch index {
    case 0:
      let voices = Int(saturating: value + 0.5)
      setVoices(voices)
      rampLevel(to: Self.level(voices: voices), overFrames: 0)
    case 1: setSpeed(hertz: value)
    case 2: setDepth(milliseconds: value)
    default: setTriangle(value >= 0.5)
    }
    return nil
  }

  /// Returns the level at which `voices` voices are about as loud as the input. They add up by
  /// power, half of them on each side.
  @_noLocks @_noAllocation
  static func level(voices: Int) -> Double {
    switch voices {
    case ...1: 0.707_106_8
    case 2: 0.5
    case 3: 0.408_248_3
    case 4: 0.353_553_4
    case 5: 0.316_227_8
    case 6: 0.288_675_1
    case 7: 0.267_261_2
    default: 0.25
    }
  }
}

@_noLocks @_noAllocation
func reverbRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(WetKernel<Reverb>.self, context, call)
}

@_noLocks @_noAllocation
func reverbReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(WetKernel<Reverb>.self, context)
}

@_noLocks @_noAllocation
func chorusRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(WetKernel<Chorus>.self, context, call)
}

@_noLocks @_noAllocation
func chorusReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(WetKernel<Chorus>.self, context)
}

/// Owner of a kernel's memory, freed with the kernel. The type is not generic: Swift 6.3 may omit
/// the `deinit` of a generic type that is destroyed through a pointer.
private struct WetMemory: ~Copyable {
  let parameters: ParameterTable
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  let parts: UnsafeMutablePointer<Float>

  deinit {
    parameters.deallocate()
    left.deallocate()
    right.deallocate()
    parts.deallocate()
  }
}
