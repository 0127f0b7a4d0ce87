// A small unit, written as a developer outside the project would write it.

import Realtime
import UnitModel
import UnitRender

enum GainAddress {
  static let gain: ParameterAddress = 10
  static let offset: ParameterAddress = 20
  static let mode: ParameterAddress = 30
  static let meter: ParameterAddress = 40
  static let wide: ParameterAddress = 1 << 40
}

/// Output is input times gain plus offset plus the last note's key; both parameters ramp linearly.
struct GainKernel: RenderKernel, ~Copyable {
  let values: ParameterValues
  var gain: Ramp
  var offset: Ramp
  var key: Float = 0

  struct Ramp {
    var value: Float
    var step: Float = 0
    var target: Float
    var framesLeft: UInt32 = 0
    var hasChanged = false

    init(_ value: Float) {
      self.value = value
      target = value
    }

    @_noLocks @_noAllocation
    mutating func start(_ event: UnsafeMutablePointer<RenderEvent>) {
      target = event.pointee.value
      framesLeft = event.pointee.rampFrames
      hasChanged = true
      if framesLeft == 0 { value = target } else { step = (target - value) / Float(framesLeft) }
    }

    @_noLocks @_noAllocation
    mutating func next() -> Float {
      if framesLeft > 0 {
        framesLeft -= 1
        hasChanged = true
        value = framesLeft == 0 ? target : value + step
      }
      return value
    }
  }

  init(values: ParameterValues) {
    self.values = values
    gain = Ramp(values[0])
    offset = Ramp(values[1])
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?:
      if event.pointee.address == 10 { gain.start(event) }
      if event.pointee.address == 20 { offset.start(event) }
    case .midi?:
      key = Float(event.pointee.bytes.1)
      if let output = call.midiOutput { _ = output.insert(event.pointee) }
    default: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      let gain = gain.next()
      let offset = offset.next() + key
      var channel = 0
      while channel < slice.call.output(0).channelCount {
        slice.output(channel: channel)[frame] = slice.input(channel: channel)[frame] * gain + offset
        channel += 1
      }
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    // Only changed values: the control side may have stored one that arrives with the next call.
    if gain.hasChanged { values[0] = gain.value }
    if offset.hasChanged { values[1] = offset.value }
    values[3] = gain.value
    gain.hasChanged = false
    offset.hasChanged = false
  }

  @_noLocks @_noAllocation
  mutating func reset() { key = 0 }
}

@_noLocks @_noAllocation
func gainRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(GainKernel.self, context, call)
}

@_noLocks @_noAllocation
func gainReset(_ context: UnsafeMutableRawPointer) { resetKernel(GainKernel.self, context) }

final class GainUnit: AudioUnit, @unchecked Sendable {
  static let description = ComponentDescription(
    type: .musicEffect, subtype: "gain", manufacturer: "Test")

  /// Settings besides the parameters; tests that use these use the unit from one thread.
  var label = "none"
  var duringAllocation: ((GainUnit) -> Void)?

  init(
    description: ComponentDescription = GainUnit.description, eventCapacity: Int = 64,
    outputBusses: Int = 1
  ) throws {
    let gain = Parameter(
      identifier: "gain", name: "Gain", address: GainAddress.gain, range: 0...4, defaultValue: 1,
      unit: .linearGain, flags: [.readable, .writable, .canRamp])
    let offset = Parameter(
      identifier: "offset", name: "Offset", address: GainAddress.offset, range: -1...1,
      defaultValue: 0, flags: [.readable, .writable, .canRamp])
    let mode = Parameter(
      identifier: "mode", name: "Mode", address: GainAddress.mode, range: 0...2, unit: .indexed,
      flags: [.readable, .writable, .nonRealTime], valueStrings: ["Soft", "Hard", "Broken"])
    let meter = Parameter(
      identifier: "meter", name: "Meter", address: GainAddress.meter, range: 0...4,
      flags: [.readable, .meterReadOnly])
    let wide = Parameter(
      identifier: "wide", name: "Wide", address: GainAddress.wide, range: 0...1,
      flags: [.readable, .writable, .omitFromPresets])
    super.init(
      componentDescription: description,
      inputBusses: BusArray(.input, [try Bus(.input, name: "In", maximumChannelCount: 8)]),
      outputBusses: BusArray(.output, try (0..<outputBusses).map { _ in try Bus(.output) }),
      parameterTree: try ParameterTree(children: [
        ParameterGroup(identifier: "amp", name: "Amplifier", children: [gain, offset]),
        mode, meter, wide,
      ]),
      eventCapacity: eventCapacity, systemExclusiveCapacity: 256)
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    guard label != "bad" else { throw .failed("the label is bad") }
    let kernel = GainKernel(values: parameterValues)
    duringAllocation?(self)
    return RenderResources(kernel, for: self, render: gainRender, reset: gainReset)
  }

  override func setNonRealTimeParameter(
    _ parameter: Parameter, to value: Float
  ) throws(ParameterError) {
    if value == 2 { throw .refused(keyPath: parameter.keyPath, reason: "that mode is broken") }
  }

  override var factoryPresets: [Preset] {
    [Preset(number: 0, name: "Loud"), Preset(number: 1, name: "Quiet")]
  }

  override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    ["amp.gain": preset.number == 0 ? 4 : 0.25]
  }

  override func settings(forDocument: Bool) -> StateDictionary { ["label": .string(label)] }

  override func checkSettings(_ settings: StateDictionary) throws(StateError) {
    for (key, value) in settings {
      guard key == "label" else { throw .unknownEntry(key) }
      guard case .string = value else {
        throw .invalidSetting(key, reason: "give a string")
      }
    }
  }

  override func applySettings(_ settings: StateDictionary) throws(StateError) {
    if case .string(let text)? = settings["label"] { label = text } else { label = "none" }
  }

  var gain: Parameter { parameterTree.parameter(address: GainAddress.gain)! }
  var offset: Parameter { parameterTree.parameter(address: GainAddress.offset)! }
}
