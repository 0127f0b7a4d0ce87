// A control unit, and units whose parameters it moves.

import Configuration
import ControlUnit
import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel

typealias TimedMIDI = OfflineBackend.TimedMIDI

extension MappingConfiguration {
  init(_ source: Source, _ change: (inout MappingConfiguration) -> Void = { _ in }) {
    self.init(
      parameter: Located("value/level", at: .nowhere), source: Located(source, at: .nowhere),
      at: .nowhere)
    change(&self)
  }
}

/// A control unit in front of some units.
struct ControlRig {
  let control: ControlUnit
  let units: [ValueUnit]
  let renderer: OfflineRenderer
  let targets: [UInt32]

  init(units count: Int = 1, maximumFrames: Int = 1024) throws {
    let graph = Graph()
    control = try ControlUnit()
    let place = try graph.add(control, id: "control")
    units = try (0..<count).map { _ in try ValueUnit() }
    for (index, unit) in units.enumerated() {
      let other = try graph.add(unit, id: "unit\(index)")
      try graph.connectParameters(from: place, to: other)
    }
    targets = graph.nodes.dropFirst().map(\.identity.eventTarget)
    let compiled = try graph.compile(
      CompileOptions(sampleRate: 48_000, maximumFrames: maximumFrames, isOffline: true))
    #expect(compiled.ports.midiInputs.map(\.name) == ["control_midi_in"])
    #expect(compiled.ports.midiOutputs.map(\.name) == ["control_midi_out"])
    renderer = OfflineRenderer(compiled)
  }

  /// Returns a mapping to a parameter of a unit.
  func mapping(
    _ configuration: MappingConfiguration, _ keyPath: String = "level", unit: Int = 0,
    from first: Float? = nil, to last: Float? = nil
  ) throws -> ControlMapping {
    let parameter = try #require(units[unit].parameterTree.parameter(keyPath: keyPath))
    return ControlMapping(
      configuration, moving: parameter, of: units[unit], target: targets[unit],
      from: first ?? parameter.range.lowerBound, to: last ?? parameter.range.upperBound)
  }

  func map(
    _ source: MappingConfiguration.Source, _ keyPath: String = "level", from first: Float? = nil,
    to last: Float? = nil, _ change: (inout MappingConfiguration) -> Void = { _ in }
  ) throws {
    control.mappings.append(
      try mapping(MappingConfiguration(source, change), keyPath, from: first, to: last))
  }

  /// Maps a source to a trigger.
  func setOff(
    _ source: MappingConfiguration.Source, _ trigger: ControlTrigger,
    _ change: (inout MappingConfiguration) -> Void = { _ in }
  ) {
    var configuration = MappingConfiguration(
      target: Located(trigger.target, at: .nowhere), source: Located(source, at: .nowhere),
      at: .nowhere)
    change(&configuration)
    control.mappings.append(ControlMapping(configuration, settingOff: trigger))
  }

  /// Returns a trigger's value for a parameter of a unit.
  func value(_ keyPath: String, of unit: Int = 0, is value: Float) throws -> ControlTrigger.Value {
    ControlTrigger.Value(
      try #require(units[unit].parameterTree.parameter(keyPath: keyPath)), target: targets[unit],
      value: value)
  }

  /// Renders `frames` frames in cycles of at most `period`.
  /// - Returns: the values of all parameters of all units.
  func render(_ midi: [TimedMIDI] = [], frames: Int, period: Int = 512) -> [[Float]] {
    var output = [[Float]](repeating: [], count: units.count * 3)
    let end = renderer.frame + FrameTime(frames)
    while renderer.frame < end {
      let count = min(period, Int(end - renderer.frame))
      let range = renderer.frame..<renderer.frame + FrameTime(count)
      let samples = renderer.render(
        frameCount: count, midi: [midi.filter { range.contains($0.frame) }])
      for (index, samples) in samples.enumerated() { output[index] += samples }
    }
    return output
  }

  /// Returns the value of `level`, or of another parameter of the first unit, after each of several
  /// successive messages.
  func values(after messages: [[UInt8]], of parameter: Int = 0) -> [Float] {
    messages.map { message in
      render([TimedMIDI(frame: renderer.frame, bytes: message)], frames: 64)[parameter].last!
    }
  }

  func set(_ keyPath: String, to value: Float) {
    units[0].parameterTree.parameter(keyPath: keyPath)!.value = value
  }
}
