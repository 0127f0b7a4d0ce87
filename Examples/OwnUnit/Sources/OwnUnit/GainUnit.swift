// The control side of the gain.

import Auricle

/// A gain from 0 to 4.
final class GainUnit: AudioUnit, @unchecked Sendable {
  static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "gain", manufacturer: "Demo"),
    name: "Gain", shortName: "gain"
  ) { description, _ in try GainUnit(description) }

  init(_ description: ComponentDescription = component.description) throws {
    try super.init(
      componentDescription: description,
      inputBusses: BusArray(.input, [Bus(.input)]),
      outputBusses: BusArray(.output, [Bus(.output)]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "gain", name: "Gain", address: 0, range: 0...4, defaultValue: 1,
          unit: .linearGain)
      ]))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      GainKernel(gain: parameterValues[0], values: parameterValues), for: self,
      render: gainRender, reset: gainReset)
  }
}
