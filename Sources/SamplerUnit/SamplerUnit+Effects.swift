// The control side of effects and outputs.

import DSP
import SoundFontFiles
import UnitModel

extension SamplerUnit {
  private static let outputsKey = "outputs"

  private subscript(index: Int) -> Float { parameterValues[index] }

  /// Longest tail of the effects that are on, in seconds.
  var effectsTailSeconds: Double {
    var seconds = 0.0
    if self[SamplerParameterIndex.reverbOn] >= 0.5 {
      seconds = Reverb.tailSeconds(roomSize: Double(self[SamplerParameterIndex.reverbRoomSize]))
    }
    if self[SamplerParameterIndex.chorusOn] >= 0.5 {
      let depth = Double(self[SamplerParameterIndex.chorusDepth])
      seconds = max(seconds, Chorus.tailSeconds(depthMilliseconds: depth))
    }
    return seconds
  }

  /// Makes synths with an output for each channel, or a common one.
  func separateChannels(_ isSeparated: Bool) throws(SoundFontError) {
    try bay.resize { $0.isSeparated = isSeparated }.get()
  }

  /// Makes the synths that an effect needs, before it is on. Sounding notes continue.
  func switchEffect(_ parameter: Parameter, isOn: Bool) throws(SoundFontError) {
    let other =
      parameter.address == UInt64(SamplerParameterIndex.reverbOn)
      ? SamplerParameterIndex.chorusOn : SamplerParameterIndex.reverbOn
    try separateChannels(isOn || self[other] >= 0.5 || outputLayout != .stereo)
  }

  /// The outputs as settings of a document, empty for stereo. A preset fits units with any outputs.
  func outputSetting(forDocument: Bool) -> StateDictionary {
    forDocument && outputLayout != .stereo
      ? [Self.outputsKey: .string(outputLayout.rawValue)] : [:]
  }

  /// Returns the settings without the outputs. Throws if the outputs differ from the unit's, which
  /// are fixed.
  func withoutOutputs(_ settings: StateDictionary) throws(StateError) -> StateDictionary {
    var settings = settings
    guard let outputs = settings.removeValue(forKey: Self.outputsKey) else { return settings }
    guard case .string(outputLayout.rawValue) = outputs else {
      throw .invalidSetting(
        Self.outputsKey,
        reason: "this unit was made with \"\(outputLayout.rawValue)\"; make one with the outputs "
          + "that the state has")
    }
    return settings
  }
}
