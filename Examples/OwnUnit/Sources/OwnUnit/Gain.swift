// A gain.

import Auricle

/// A gain from 0 to 4.
final class Gain: EffectUnit, @unchecked Sendable {
  static let component = Component(.effect, "gain", "Demo", name: "Gain") { try Gain($0) }

  /// The gain as a factor.
  @Parameter(identifier: "gain", name: "Gain", address: 0, range: 0...4, unit: .linearGain)
  var gain: Float = 1

  init(_ description: ComponentDescription = component.description) throws {
    try super.init(componentDescription: description, parameters: [_gain])
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, process: multiply)
  }
}

/// Multiplies each sample by the gain of its frame.
@_noLocks @_noAllocation
func multiply(_ channel: ChannelCall) {
  for frame in 0..<channel.frameCount {
    channel.output[frame] = channel.input[frame] * channel.parameters[0][frame]
  }
}
