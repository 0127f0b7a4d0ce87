// Addresses of parameters, for changes that are written down before their unit exists. They are the
// same in every version, so that hosts can keep them.

import Effects
import UnitModel

extension FilterUnit {
  static let cutoffAddress: ParameterAddress = 0
  static let resonanceAddress: ParameterAddress = 1
}

extension CombUnit {
  static let delayAddress: ParameterAddress = 0
  static let feedbackAddress: ParameterAddress = 1
  static let feedforwardAddress: ParameterAddress = 2
  static let mixAddress: ParameterAddress = 4
}

extension DelayUnit {
  static let delayAddress: ParameterAddress = 0
}

extension ToneUnit {
  static let playingAddress: ParameterAddress = 0
  static let frequencyAddress: ParameterAddress = 5
  static let waveformAddress: ParameterAddress = 6
}
