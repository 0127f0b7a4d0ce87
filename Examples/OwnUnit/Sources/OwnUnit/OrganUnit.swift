// The control side of the organ.

import Auricle
import Foundation

/// An organ whose MIDI passes stages: here a transposition, which its parameters set.
final class OrganUnit: AudioUnit, @unchecked Sendable {
  static let component = Component(.instrument, "orgn", "Demo", name: "Organ") {
    try OrganUnit($0)
  }

  private let midi: MIDIChainHost
  /// The frequency of A4, in hertz.
  private var tuning = 440

  init(_ description: ComponentDescription = component.description) throws {
    midi = MIDIChainHost([.transpose])
    try super.init(
      componentDescription: description,
      outputBusses: BusArray(.output, [Bus(.output, supportedChannelCounts: [2])]),
      parameterTree: Self.tree(midi.layout), parameterReserve: MIDIChainHost.parameterReserve)
  }

  private static func tree(_ layout: MIDIChainLayout) throws(ParameterTreeError) -> ParameterTree {
    try ParameterTree(children: [layout.parameterGroup()])
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let player = midi.makePlayer(for: self)
    let steps = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    for key in 0..<128 {
      steps[key] = Float(min(Double(tuning) * exp2((Double(key) - 69) / 12) / sampleRate, 0.5))
    }
    return RenderResources(
      OrganKernel(chain: player, sampleRate: sampleRate, steps: steps), for: self,
      render: organRender, reset: organReset
    ) { [midi] in
      steps.deallocate()
      midi.release(player)
    }
  }
}

/// A key of its own: tuning = 442.
extension OrganUnit: ConfigurableUnit {
  static let configurationKeys: [ConfigurationKey] = ["tuning"]

  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {
    tuning = try configuration.keys["tuning"]?.integer("tuning", in: 400...480).value ?? 440
  }
}
