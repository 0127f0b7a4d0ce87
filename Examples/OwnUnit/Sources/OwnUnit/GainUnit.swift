// The control side of the gain.

import Auricle

/// A gain from 0 to 4.
final class GainUnit: EffectUnit, @unchecked Sendable {
  static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "gain", manufacturer: "Demo"),
    name: "Gain", shortName: "gain", unitType: GainUnit.self
  ) { description, _ in try GainUnit(description) }

  /// The gain as a factor.
  @Parameter(identifier: "gain", name: "Gain", address: 0, range: 0...4, unit: .linearGain)
  var gain: Float = 1

  /// Whether the polarity is turned, as a configuration says.
  private var isInverted = false

  init(_ description: ComponentDescription = component.description) throws {
    try super.init(componentDescription: description, parameters: [_gain])
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      GainKernel(
        gain: gain, sign: isInverted ? -1 : 1, values: parameterValues),
      for: self, render: gainRender, reset: gainReset)
  }
}

/// A key of its own: invert = true.
extension GainUnit: ConfigurableUnit {
  static let configurationKeys: [ConfigurationKey] = ["invert"]

  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {
    isInverted = try configuration.keys["invert"]?.boolean("invert").value ?? false
  }
}
