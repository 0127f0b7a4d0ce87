// The environment's render side: its memory and its calls.

import DSP
import Realtime
import UnitRender

/// Renders each input at its source's position, in order, and adds the shared reverb.
struct EnvironmentKernel: RenderKernel, ~Copyable {
  let sources: UnsafeMutablePointer<EnvironmentSource>
  let heads: UnsafeMutablePointer<SphericalHead>
  let convolvers: UnsafeMutablePointer<HeadConvolver>
  let sourceCount: Int
  let lattice: HeadLattice
  let scratch: EnvironmentScratch
  var listener: EnvironmentListener
  var reverb: EnvironmentReverb
  let sendBuffer: UnsafeMutablePointer<Float>
  private let values: ParameterValues
  private var parameters: ParameterTable
  private var volume: LinearRamp
  private var setVolume: Double
  private var hasReverb: Bool
  private var isBypassed: Bool
  /// The change of the values that all sources share; see `EnvironmentSource.change`.
  private var change = 0
  /// Frames of a turn. With more than `turnsAtOnce` sources, turns begin on multiples of it.
  private let turnFrames: Int
  /// The source that is considered first for the next turn.
  private var firstToTurn = 0

  /// The most sources that crossfade to other head responses at once, each at twice its cost.
  ///
  /// Up to this number of inputs, each turns when its position changes. If there are more, sources
  /// take turns, which depend only on frame and index.
  static var turnsAtOnce: Int { @_noLocks @_noAllocation get { 16 } }

  /// - Parameters:
  ///   - lattice: the head responses; must outlive the kernel.
  ///   - values: the parameters' values by address.
  ///   - parameters: the parameters' ranges by address.
  /// - Thread: [control]
  init(
    sourceCount: Int, lattice: HeadLattice, filter: Equalizer.Band, sampleRate: Double,
    maximumFrames: Int, values: ParameterValues, parameters: [ParameterLimits], isBypassed: Bool
  ) {
    self.sourceCount = sourceCount
    self.lattice = lattice
    self.values = values
    self.isBypassed = isBypassed
    let set = (0..<values.count).map { Double(values[$0]) }
    self.parameters = ParameterTable(parameters, values: values)
    setVolume = set[EnvironmentAddresses.volume]
    volume = LinearRamp(value: isBypassed ? 1 : setVolume, sampleRate: sampleRate)
    hasReverb = set[EnvironmentAddresses.reverbOn] >= 0.5
    listener = EnvironmentListener(
      values: Array(set[EnvironmentAddresses.listener..<EnvironmentAddresses.distanceModel])
        + Array(set[EnvironmentAddresses.distance..<EnvironmentAddresses.reverbOn]),
      model: DistanceModel(place: Int(set[EnvironmentAddresses.distanceModel])),
      hasReverb: hasReverb, isBypassed: isBypassed, sampleRate: sampleRate)
    reverb = EnvironmentReverb(
      ReverbPreset(place: Int(set[EnvironmentAddresses.reverbPreset])),
      isOn: hasReverb && !isBypassed, decibels: set[EnvironmentAddresses.reverbLevel],
      filter: filter, sampleRate: sampleRate, maximumFrames: maximumFrames)
    sendBuffer = reverb.send
    turnFrames = HeadConvolver.fadeFrames(sampleRate: sampleRate)
    scratch = EnvironmentScratch()
    sources = .allocate(capacity: sourceCount)
    heads = .allocate(capacity: sourceCount)
    convolvers = .allocate(capacity: sourceCount)
    for index in 0..<sourceCount {
      let first = EnvironmentAddresses.input(index)
      let controls = SourceControls(
        values: Array(set[first..<first + EnvironmentAddresses.countOfInput]),
        sampleRate: sampleRate)
      (sources + index).initialize(to: EnvironmentSource(controls, sampleRate: sampleRate))
      (heads + index).initialize(to: SphericalHead(sampleRate: sampleRate))
      (convolvers + index).initialize(to: HeadConvolver(lattice, sampleRate: sampleRate))
    }
  }

  deinit {
    sources.deinitialize(count: sourceCount)
    sources.deallocate()
    heads.deinitialize(count: sourceCount)
    heads.deallocate()
    convolvers.deinitialize(count: sourceCount)
    convolvers.deallocate()
    parameters.deallocate()
    listener.deallocate()
    scratch.deallocate()
  }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  /// Takes the call's bypass. A bypassed environment adds its inputs unplaced, without reverb.
  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let bypass = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    if bypass == isBypassed { return }
    isBypassed = bypass
    listener.isBypassed = bypass
    change = 2
    volume.start(to: bypass ? 1 : setVolume, overFrames: 0)
    reverb.setOn(hasReverb && !bypass)
    values[EnvironmentAddresses.volume] = Float(setVolume)
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    guard let change = parameters.change(event) else { return }
    if change.index >= EnvironmentAddresses.firstInput {
      setSource(
        change.index &- EnvironmentAddresses.firstInput, to: Double(change.value),
        change.rampFrames)
    } else {
      setCommon(change.index, to: Double(change.value), change.rampFrames)
    }
  }

  @_noLocks @_noAllocation
  private func setSource(_ offset: Int, to value: Double, _ frames: UInt32) {
    let index = EnvironmentAddresses.input(ofParameter: offset)
    let parameter = offset &- index &* EnvironmentAddresses.countOfInput
    // Kept for a mixer of another kind.
    if parameter == EnvironmentAddresses.pan { return }
    let source = sources + index
    source.pointee.controls.move(parameter, to: value, overFrames: frames)
    source.pointee.change = max(source.pointee.change, frames == 0 ? 2 : 1)
  }

  @_noLocks @_noAllocation
  private mutating func setCommon(_ address: Int, to value: Double, _ frames: UInt32) {
    switch address {
    case 0:
      setVolume = value
      if !isBypassed { volume.start(to: value, overFrames: frames) }
      return
    case 1...6: listener.move(address &- 1, to: value, overFrames: frames)
    case 7: listener.model = DistanceModel(place: Int(saturating: value + 0.5))
    case 8...10: listener.move(address &- 2, to: value, overFrames: frames)
    case 11:
      hasReverb = value >= 0.5
      listener.hasReverb = hasReverb
      reverb.setOn(hasReverb && !isBypassed)
    case 12: return reverb.set(ReverbPreset(place: Int(saturating: value + 0.5)))
    case 13: return reverb.decibels.start(to: value, overFrames: frames)
    default:
      let setting = Equalizer.BandSetting(number: address &- EnvironmentAddresses.filter)
      _ = reverb.filter(setting, .start(to: value, overFrames: frames))
      return
    }
    change = max(change, frames == 0 ? 2 : 1)
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let count = slice.frameCount
    Samples.clear(slice.output(channel: 0), count: count)
    Samples.clear(slice.output(channel: 1), count: count)
    Samples.clear(sendBuffer, count: count)
    if change > 0 { listener.update() }
    if isCrowded {
      var frame = 0
      while frame < count {
        let position = (slice.frame &+ Int64(frame)) % Int64(turnFrames)
        let passed = Int(
          truncatingIfNeeded: position < 0 ? position &+ Int64(turnFrames) : position)
        if passed == 0 { giveTurns() }
        let length = min(count &- frame, turnFrames &- passed)
        renderSources(slice, frame, length)
        frame &+= length
      }
    } else {
      renderSources(slice, 0, count)
    }
    listener.advance(by: count)
    reverb.add(to: slice.output(channel: 0), slice.output(channel: 1), count: count)
    scale(slice)
  }

  /// Whether sources have to take turns.
  var isCrowded: Bool { @_noLocks @_noAllocation get { sourceCount > Self.turnsAtOnce } }

  /// Renders a stretch of all sources.
  @_noLocks @_noAllocation
  private mutating func renderSources(_ slice: RenderSlice, _ start: Int, _ count: Int) {
    let busCount = Int(slice.call.call.pointee.inputBusCount)
    var index = 0
    while index < sourceCount {
      let source = sources + index
      let channels = index < busCount ? slice.call.input(index).channelCount : 0
      if channels == 1 || channels == 2 {
        source.pointee.change = max(source.pointee.change, change)
        render(index, channels, slice, start, count)
      } else {
        source.pointee.leave(count)
      }
      index &+= 1
    }
    change = 0
  }

  /// Gives the next turns to waiting sources, starting after the last one that got a turn.
  @_noLocks @_noAllocation
  private mutating func giveTurns() {
    var left = Self.turnsAtOnce
    var index = 0
    while index < sourceCount {
      sources[index].mayTurn = false
      if convolvers[index].fadingFrames > 0 { left &-= 1 }
      index &+= 1
    }
    var asked = 0
    index = firstToTurn
    while asked < sourceCount && left > 0 {
      let next = index &+ 1 == sourceCount ? 0 : index &+ 1
      if convolvers[index].fadingFrames == 0 && isToTurn(index) {
        sources[index].mayTurn = true
        firstToTurn = next
        left &-= 1
      }
      index = next
      asked &+= 1
    }
  }

  /// Whether a source's head responses are for another direction than its current one.
  @_noLocks @_noAllocation
  func isToTurn(_ index: Int) -> Bool {
    sources[index].channelCount == 1 && sources[index].uses(SourceAlgorithm.headResponses)
      && !convolvers[index].isAimed(at: sources[index].position.direction)
  }

  /// Applies the volume of the mix.
  @_noLocks @_noAllocation
  private mutating func scale(_ slice: RenderSlice) {
    let (left, right) = (slice.output(channel: 0), slice.output(channel: 1))
    var frame = 0
    while frame < slice.frameCount && volume.isRamping {
      volume.advance(by: 1)
      left[frame] *= Float(volume.value)
      right[frame] *= Float(volume.value)
      frame &+= 1
    }
    let rest = slice.frameCount &- frame
    if rest == 0 || volume.value == 1 { return }
    Samples.scale(left + frame, by: Float(volume.value), count: rest)
    Samples.scale(right + frame, by: Float(volume.value), count: rest)
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if !parameters.takeFollowed() { return }
    if isBypassed {
      values[EnvironmentAddresses.volume] = Float(setVolume)
    } else {
      read(volume.takeReading(), at: EnvironmentAddresses.volume)
    }
    var index = 0
    while index < EnvironmentListener.rampCount {
      read(listener.takeReading(index), at: index < 6 ? index &+ 1 : index &+ 2)
      index &+= 1
    }
    read(reverb.decibels.takeReading(), at: EnvironmentAddresses.reverbLevel)
    read(reverb.filter(.frequency, .reading), at: EnvironmentAddresses.filter &+ 1)
    read(reverb.filter(.gain, .reading), at: EnvironmentAddresses.filter &+ 2)
    read(reverb.filter(.bandwidth, .reading), at: EnvironmentAddresses.filter &+ 3)
    var address = EnvironmentAddresses.firstInput
    index = 0
    while index < sourceCount {
      var parameter = 0
      while parameter < EnvironmentAddresses.pan {
        read(sources[index].controls.takeReading(parameter), at: address &+ parameter)
        parameter &+= 1
      }
      address &+= EnvironmentAddresses.countOfInput
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func read(_ reading: Double?, at address: Int) {
    if let reading { parameters.publish(Float(reading), ofParameter: address) }
  }

  /// Clears all audio state; each source starts again at its current position.
  @_noLocks @_noAllocation
  mutating func reset() {
    var index = 0
    while index < sourceCount {
      sources[index].leave(0)
      index &+= 1
    }
    firstToTurn = 0
    reverb.forget()
  }
}

@_noLocks @_noAllocation
func environmentRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(EnvironmentKernel.self, context, call)
}

@_noLocks @_noAllocation
func environmentReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(EnvironmentKernel.self, context)
}
