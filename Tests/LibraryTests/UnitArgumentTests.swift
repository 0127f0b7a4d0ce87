// Senseless arguments for units, their busses, parameters, presets and states.

import Auricle
import AuricleHost
import Foundation
import TestSupport
import Testing

@Suite struct UnitArgumentTests {
  private func unit(allocated: Bool = true) throws -> FilterUnit {
    let unit = try FilterUnit()
    if allocated { try unit.allocateRenderResources() }
    return unit
  }

  @Test func busses() async throws {
    await refuses("AudioFormat init(sampleRate:channelCount:)", integers) {
      _ = try AudioFormat(sampleRate: 48_000, channelCount: $0)
    }
    await refuses("AudioFormat init(sampleRate:channelCount:)", numbers) {
      _ = try AudioFormat(sampleRate: $0, channelCount: 2)
    }
    await refuses("AudioFormat at(sampleRate:)", numbers) {
      _ = try AudioFormat.standard.at(sampleRate: $0)
    }
    let mono = try AudioFormat(sampleRate: 48_000, channelCount: 1)
    await refuses(
      "Bus init(_:format:name:supportedChannelCounts:maximumChannelCount:)", [[0], [-1], [.max]]
    ) { _ = try Bus(.input, supportedChannelCounts: $0) }
    await refuses(
      "Bus init(_:format:name:supportedChannelCounts:maximumChannelCount:)", [0, -1, .min]
    ) { _ = try Bus(.input, maximumChannelCount: $0) }
    let bus = try Bus(.output, supportedChannelCounts: [2])
    await refuses("Bus setFormat(_:)", [mono]) { try bus.setFormat($0) }
    let allocated = try unit()
    await refuses("Bus setEnabled(_:)", [true, false]) {
      try allocated.outputBusses[0].setEnabled(!$0)
      try allocated.outputBusses[0].setEnabled($0)
    }
    for isOpen in [false, true] {
      await refuses(
        "BusArray init(_:count:maximumBusCount:isOpen:makeBus:)", nonzero
      ) {
        _ = try BusArray(.input, count: $0, maximumBusCount: 4, isOpen: isOpen) { _ in bus }
      }
      await refuses("BusArray init(_:count:maximumBusCount:isOpen:makeBus:)", [-1, .min]) {
        _ = try BusArray(.input, count: 0, maximumBusCount: $0, isOpen: isOpen) { _ in bus }
      }
    }
    let array = try BusArray(.input, count: 1, maximumBusCount: 2) { (_) throws(BusError) in
      try Bus(.input)
    }
    await refuses("BusArray setBusCount(_:)", [-1, 3, .max, .min]) { try array.setBusCount($0) }
    await refuses("BusArray setBusCount(_:)", [0, 2]) { try BusArray(.input).setBusCount($0 + 1) }
  }

  @Test func views() async throws {
    await refuses("UnitView init(files:)", texts) { _ = try UnitView(files: [$0: []]) }
    await refuses("UnitView init(folder:)", texts) { _ = try UnitView(folder: $0) }
    let unit = try unit()
    await bears("ViewProviding requestViewController()", [()]) {
      let view = try await unit.requestViewController()
      #expect(view == nil)
    }
    let sizes = numbers.map { ViewConfiguration(width: $0, height: $0, hostHasController: true) }
    #expect(unit.supportedViewConfigurations(sizes).isEmpty)
  }

  @Test func parameters() async throws {
    func parameter(_ identifier: String, _ address: ParameterAddress) -> Parameter {
      Parameter(identifier: identifier, name: identifier, address: address, range: 0...1)
    }
    await refuses(
      "ParameterTree init(children:)",
      [
        [parameter("a", 1), parameter("b", 1)], [parameter("a", 1), parameter("a", 2)],
        [parameter("", 1)], [parameter("a/b", 1)],
      ]
    ) { _ = try ParameterTree(children: $0) }
    let filter = try unit()
    let first = try #require(filter.parameterTree.allParameters.first)
    await bears("Parameter+Value setValue(_:originator:atHostTime:eventType:)", numbers) {
      try first.setValue(Float($0), atHostTime: .max)
      #expect(first.range.contains(first.value))
    }
    for value in numbers {
      await bears(
        "AudioUnit+Scheduling scheduleParameter(_:value:at:rampFrames:)", integers
      ) { frame in
        try filter.scheduleParameter(
          first.address, value: Float(value), at: .frame(FrameTime(frame)), rampFrames: frame)
      }
      await bears("AudioUnit+Scheduling scheduleOwnEvent(address:value:at:)", integers) {
        try filter.scheduleOwnEvent(
          address: .max, value: Float(value), at: .frame(FrameTime($0)))
      }
    }
    await refuses(
      "AudioUnit+Scheduling scheduleParameter(_:value:at:rampFrames:)", [.max] as [ParameterAddress]
    ) { try filter.scheduleParameter($0, value: 0) }
    await bears("AudioUnit+Scheduling scheduleBypass(_:at:)", integers) {
      try filter.scheduleBypass(true, at: .frame(FrameTime($0)))
    }
    let piano = try SamplerUnit()
    try piano.allocateRenderResources()
    let messages: [[UInt8]] = [[], [0], [0x90], [0x90, 60], [0xF0], [0xF0, 1], [0xF7], [0xFF]]
    await refuses(
      "AudioUnit+Scheduling scheduleMIDI(_:at:cable:)", messages.filter { $0 != [0xFF] }
    ) {
      try piano.scheduleMIDI($0)
    }
    await refuses("AudioUnit+Scheduling scheduleMIDI(_:at:cable:)", nonzero) {
      try piano.scheduleMIDI([0x90, 60, 1], cable: $0)
    }
    await bears("AudioUnit+Scheduling scheduleMIDI(_:at:cable:)", integers) {
      try piano.scheduleMIDI([0x90, 60, 1], at: .frame(FrameTime($0)))
    }
    await refuses(
      "AudioUnit+Scheduling scheduleMIDI(_:at:cable:)", [1 << 17, 1 << 20]
    ) { try piano.scheduleMIDI([0xF0] + [UInt8](repeating: 1, count: $0) + [0xF7]) }
    await refuses("AudioUnit+ParameterTree replaceParameterTree(_:)", [2000]) { count in
      let more = (0..<count).map { parameter("p\($0)", ParameterAddress($0)) }
      try filter.replaceParameterTree(ParameterTree(children: more))
    }
  }

  @Test func resourcesAndRendering() async throws {
    let idle = try unit(allocated: false)
    await refuses("AudioUnit+Properties setMaximumFramesToRender(_:)", integers) {
      try idle.setMaximumFramesToRender($0)
    }
    await refuses("AudioUnit+Properties setSampleRate(_:)", numbers) { try idle.setSampleRate($0) }
    await bears("AudioUnit+Resources deallocateRenderResources()", [()]) {
      try idle.deallocateRenderResources()
    }
    await refuses("DirectHost init(_:frame:)", [0, .max, .min] as [FrameTime]) {
      _ = try DirectHost(idle, frame: $0)
    }
    await refuses("AudioUnit+Hosting makeHosting(midiEvents:midiBytes:)", [4096]) {
      _ = try idle.makeHosting(midiEvents: $0)
    }
    let filter = try unit()
    await bears("AudioUnit+Resources allocateRenderResources()", [()]) {
      try filter.allocateRenderResources()
    }
    await refuses("AudioUnit+Hosting makeHosting(midiEvents:midiBytes:)", nonzero) {
      _ = try filter.makeHosting(midiEvents: $0)
    }
    await refuses("AudioUnit+Hosting makeHosting(midiEvents:midiBytes:)", nonzero) {
      _ = try filter.makeHosting(midiBytes: $0)
    }
    await bears("AudioUnit+Hosting makeHosting(midiEvents:midiBytes:)", [0]) {
      _ = try filter.makeHosting(midiEvents: $0, midiBytes: $0)
    }
    let stretch = try TimePitchUnit()
    try stretch.allocateRenderResources()
    for unit: AudioUnit in [filter, stretch] {
      let host = try DirectHost(unit)
      await refuses("DirectHost render(_:inputs:midi:)", nonzero) {
        _ = try host.render($0)
      }
      await refuses("DirectHost render(_:midi:source:)", nonzero) {
        _ = try host.render($0) { _ in [] }
      }
      await bears(
        "DirectHost render(_:inputs:midi:)", [[], [[]], [[[]]], [[[1], [1, 2, 3]], [[]]]]
      ) {
        _ = try host.render(2, inputs: $0)
      }
      await bears("DirectHost render(_:midi:source:)", integers) { offset in
        let midi = [[], [0x90], [0x90, 60, 1], [0xF0, 1]].map {
          DirectHost.MIDI(offset: offset, cable: 255, $0)
        }
        _ = try host.render(2, midi: midi) { _ in [] }
      }
      for frame: FrameTime in [.max, .min] {
        host.frame = frame
        await refuses("DirectHost render(_:inputs:midi:)", [0, 1, 64]) { _ = try host.render($0) }
      }
    }
    let context = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { context.deallocate() }
    await refuses("SourceUnit init(channels:context:render:free:)", integers) {
      _ = try SourceUnit(channels: $0, context: context, render: renderNothing)
    }
    await refuses("SourceUnit init(channels:context:render:reset:free:)", integers) {
      _ = try SourceUnit(
        channels: $0, context: context, render: renderNothing, reset: resetNothing, free: { _ in })
    }
    await refuses("SourceUnit init(channels:state:reset:render:prepare:)", integers) {
      _ = try SourceUnit(channels: $0, state: 0, render: renderNothing)
    }
    await refuses(
      "EffectUnit init(componentDescription:inputs:channelCounts:parameters:factoryPresets:)",
      integers
    ) {
      _ = try EffectUnit(
        componentDescription: FilterUnit.component.description, channelCounts: [$0])
    }
    let busless = AudioUnit(
      componentDescription: FilterUnit.component.description,
      parameterTree: try ParameterTree(children: []))
    await refuses("RenderResources+Channels init(channelsOf:render:reset:makeChannel:)", [busless])
    {
      _ = try RenderResources(
        channelsOf: $0, render: renderNothing, reset: resetNothing,
        makeChannel: { _ in NoChannel() })
    }
    await refuses("RenderResources+Channels init(channelsOf:memoryCount:process:)", [busless]) {
      _ = try RenderResources(channelsOf: $0, process: processNothing)
    }
    await refuses("init(channelsOf:memoryCount:process:)", [-1, Int.min, Int.max, 1 << 25]) {
      _ = try RenderResources(channelsOf: filter, memoryCount: $0, process: processNothing)
    }
    await refuses("AudioUnit makeRenderResources()", [busless]) { _ = try $0.makeRenderResources() }
  }

  @Test func presetsAndStates() async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("x", to: "file")
    let state = try unit().fullState
    for root in [folder.url, file, URL(fileURLWithPath: "/dev/null")] {
      let store = PresetStore(component: FilterUnit.component.description, root: root)
      for number in integers {
        let presets = texts.map { Preset(number: number, name: $0) }
        await bears("PresetStore+Files save(_:as:)", presets) { try store.save(state, as: $0) }
        await bears("PresetStore+Files rename(_:to:)", presets) {
          _ = try store.rename($0, to: $0.name)
        }
        await bears("PresetStore+Files state(of:)", presets) { _ = try store.state(of: $0) }
        await bears("PresetStore list()", [()]) { _ = try store.list() }
        await bears("PresetStore+Files delete(_:)", presets) { try store.delete($0) }
      }
    }
    await refuses("PresetStore list()", [file]) {
      _ = try PresetStore(component: FilterUnit.component.description, root: $0).list()
    }
    let filter = try unit()
    for number in integers {
      let presets = texts.map { Preset(number: number, name: $0) }
      await refuses("AudioUnit+Presets setCurrentPreset(_:)", presets.filter { $0.number != 0 }) {
        try filter.setCurrentPreset($0)
      }
      await refuses("AudioUnit+Presets presetState(for:)", presets) {
        _ = try filter.presetState(for: $0)
      }
      await refuses("AudioUnit+Presets deleteUserPreset(_:)", presets) {
        try filter.deleteUserPreset($0)
      }
      await refuses("AudioUnit+Presets renameUserPreset(_:to:)", presets) {
        _ = try filter.renameUserPreset($0, to: "")
      }
      await refuses("AudioUnit+Presets saveUserPreset(_:)", presets.filter { $0.number >= 0 }) {
        try filter.saveUserPreset($0)
      }
      await bears("AudioUnit apply(factoryPreset:)", presets) {
        try filter.apply(factoryPreset: $0)
      }
      await bears("SamplerUnit apply(factoryPreset:)", presets) {
        try SamplerUnit().apply(factoryPreset: $0)
      }
    }
    await refuses("AudioUnit+Presets saveUserPreset(named:)", [""]) {
      _ = try filter.saveUserPreset(named: $0)
    }
    let values: [PropertyListValue] =
      integers.map { .integer($0) } + numbers.map { .real($0) } + texts.map { .string($0) } + [
        .array([]), .dictionary([:]), .data(Data()), .boolean(true), .date(.distantPast),
      ]
    let registry = try BuiltInComponents.makeRegistry()
    for component in registry.components(matching: ComponentDescription()) {
      let unit = try registry.makeUnit(of: component)
      let whole = unit.fullStateForDocument
      await bears("AudioUnit+State setFullState(_:)", [[:]]) { try unit.setFullState($0) }
      for key in whole.keys {
        for value in values {
          var changed = whole
          changed[key] = value
          await bears("AudioUnit+State setFullState(_:)", [changed]) { try unit.setFullState($0) }
          await bears("AudioUnit+State setFullStateForDocument(_:)", [changed]) {
            try unit.setFullStateForDocument($0)
          }
          await bears("SamplerUnit checkSettings(_:)", [changed]) { try unit.checkSettings($0) }
          await bears("AudioUnit checkSettings(_:)", [changed]) { try unit.checkSettings($0) }
        }
      }
      for settings in values.map({ ["soundFonts": $0, "bank": $0, "program": $0] }) {
        await bears("AudioUnit applySettings(_:)", [settings]) {
          try unit.checkSettings($0)
          try unit.applySettings($0)
        }
        await bears("SamplerUnit applySettings(_:)", [settings]) {
          try unit.checkSettings($0)
          try unit.applySettings($0)
        }
      }
    }
  }

  @Test func components() async throws {
    let registry = try BuiltInComponents.makeRegistry()
    await refuses("ComponentRegistry component(named:)", texts) {
      _ = try registry.component(named: $0)
    }
    await refuses("ComponentRegistry+Instantiation instantiate(named:options:)", texts) {
      _ = try await registry.instantiate(named: $0, options: InstantiationOptions(rawValue: .max))
    }
    let codes = [0, 1, .max].map { FourCharacterCode(rawValue: $0) }
    let descriptions = codes.map { ComponentDescription(type: $0, subtype: $0, manufacturer: $0) }
    await refuses("ComponentRegistry component(matching:)", Array(descriptions.dropFirst())) {
      _ = try registry.component(matching: $0)
    }
    await refuses(
      "ComponentRegistry+Instantiation instantiate(_:options:)", Array(descriptions.dropFirst())
    ) {
      _ = try await registry.instantiate($0)
    }
    for description in descriptions {
      for name in texts {
        let component = Component(
          description: description, name: name, shortName: name, version: .max
        ) { _, _ in throw BusError.countNotChangeable(0) }
        await refuses("ComponentRegistry register(_:)", [component]) { try registry.register($0) }
        await refuses("ComponentRegistry+Instantiation makeUnit(of:options:)", [component]) {
          _ = try registry.makeUnit(of: $0)
        }
        await refuses("ComponentReport init(_:registry:)", [component]) {
          _ = try ComponentReport($0, registry: ComponentRegistry())
        }
        await bears("init(componentDescription:)", [description]) {
          _ = try FilterUnit(componentDescription: $0)
          _ = try CombUnit(componentDescription: $0)
          _ = try DelayUnit(componentDescription: $0)
          _ = try DistortionUnit(componentDescription: $0)
          _ = try ChorusUnit(componentDescription: $0)
          _ = try ReverbUnit(componentDescription: $0)
          _ = try ToneUnit(componentDescription: $0)
          _ = try VarispeedUnit(componentDescription: $0)
          _ = try TimePitchUnit(componentDescription: $0)
          _ = try RecorderUnit(componentDescription: $0)
        }
      }
    }
    await bears("BuiltInComponents makeRegistry()", [()]) {
      _ = try BuiltInComponents.makeRegistry()
    }
  }

  @Test func builtInUnits() async throws {
    await bears("CompressorUnit init(lookAhead:componentDescription:)", numbers) {
      try CompressorUnit(lookAhead: $0).allocateRenderResources()
    }
    await bears("GateUnit init(lookAhead:componentDescription:)", numbers) {
      try GateUnit(lookAhead: $0).allocateRenderResources()
    }
    await bears("LimiterUnit init(lookAhead:componentDescription:)", numbers) {
      try LimiterUnit(lookAhead: $0).allocateRenderResources()
    }
    await bears("EQUnit init(bandCount:componentDescription:)", integers) {
      try EQUnit(bandCount: $0).allocateRenderResources()
    }
    await bears("MixerUnit init(_:componentDescription:)", integers) {
      try MixerUnit(MixerLayout(inputs: $0, channels: 2)).allocateRenderResources()
      try MixerUnit(MixerLayout(inputs: 4, channels: $0)).allocateRenderResources()
      try MixerUnit(MixerLayout(inputs: 4, ports: [$0, $0])).allocateRenderResources()
    }
    await bears("EnvironmentUnit init(_:componentDescription:)", integers) {
      try EnvironmentUnit(EnvironmentLayout(inputs: min($0, 8))).allocateRenderResources()
      try EnvironmentUnit(EnvironmentLayout(inputs: 2, ports: [$0, $0])).allocateRenderResources()
    }
    let space = try EnvironmentUnit()
    for x in numbers {
      for y in numbers {
        let vector = SpatialVector(x: x, y: y, z: 0)
        await bears("EnvironmentUnit setListener(front:up:)", [vector]) {
          try space.setListener(front: $0, up: SpatialVector(x: 0, y: 1, z: 0))
          try space.setListener(front: SpatialVector(x: 0, y: 0, z: -1), up: $0)
        }
        await bears("ListenerOrientation init(front:up:)", [vector]) {
          _ = try ListenerOrientation(front: $0, up: $0)
        }
      }
    }
    await refuses("EnvironmentUnit setHeadResponses(path:)", texts) {
      try space.setHeadResponses(path: $0)
    }
    await refuses("HeadResponseFile init(path:)", texts) { _ = try HeadResponseFile(path: $0) }
    await refuses("MIDIEffectUnit setMIDIStages(_:)", [1000]) {
      try MIDIEffectUnit().setMIDIStages(Array(repeating: .echo, count: $0))
    }
    await refuses("MIDIChainHost check(_:)", [1000]) {
      try MIDIChainHost.check(Array(repeating: .echo, count: $0))
    }
    await refuses("MIDIEffectUnit init(componentDescription:midiStages:)", [1000]) {
      _ = try MIDIEffectUnit(midiStages: Array(repeating: .echo, count: $0))
    }
    let registry = try BuiltInComponents.makeRegistry()
    for component in registry.components(matching: ComponentDescription()) {
      for frames in [1, AudioUnit.maximumFramesRange.upperBound] {
        for rate in [AudioFormat.sampleRates.lowerBound, AudioFormat.sampleRates.upperBound] {
          await bears("makeRenderResources()", [component]) {
            let unit = try registry.makeUnit(of: $0)
            try unit.setMaximumFramesToRender(frames)
            try unit.setSampleRate(rate)
            try unit.allocateRenderResources()
          }
        }
      }
    }
  }
}

@_noLocks @_noAllocation
private func resetNothing(_ context: UnsafeMutableRawPointer) {}

@_noLocks @_noAllocation
private func renderNothing(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 { -1 }

@_noLocks @_noAllocation
private func processNothing(_ channel: ChannelCall) {}

private struct NoChannel: ChannelKernel, ~Copyable {
  @_noLocks @_noAllocation
  mutating func answer(_ index: Int, _ request: ParameterRequest) -> Double? { nil }
  @_noLocks @_noAllocation
  mutating func process(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {}
  var isAtRest: Bool { @_noLocks @_noAllocation get { true } }
  @_noLocks @_noAllocation
  mutating func skip(_ frameCount: Int) {}
  @_noLocks @_noAllocation
  mutating func reset() {}
}
