// The API for the space of an environment.

public import DSP
import UnitModel

/// The attenuation of sources by their distance.
///
/// AUv3: `AVAudioEnvironmentDistanceAttenuationParameters`.
/// - Thread: [control]
public struct DistanceAttenuation: Sendable {
  let tree: ParameterTree

  public var model: DistanceModel {
    get { DistanceModel(place: Int(tree.value("distance.model").rounded())) }
    nonmutating set {
      tree.set("distance.model", Float(DistanceModel.allCases.firstIndex(of: newValue) ?? 0))
    }
  }

  /// The distance up to which sources are not attenuated, in metres, 0.01 to 100,000.
  public var reference: Float {
    get { tree.value("distance.reference") }
    nonmutating set { tree.set("distance.reference", newValue) }
  }

  /// The distance from which on the attenuation no longer grows, in metres, 0.01 to 100,000.
  public var maximum: Float {
    get { tree.value("distance.maximum") }
    nonmutating set { tree.set("distance.maximum", newValue) }
  }

  /// The rate of attenuation, 0 to 10; 1 corresponds to open air.
  public var rollOff: Float {
    get { tree.value("distance.rollOff") }
    nonmutating set { tree.set("distance.rollOff", newValue) }
  }
}

/// The reverb that all sources share, each by its `reverbBlend`.
///
/// AUv3: `AVAudioEnvironmentReverbParameters`.
/// - Thread: [control]
public struct EnvironmentReverbSettings: Sendable {
  let tree: ParameterTree

  public var isOn: Bool {
    get { tree.value("reverb.on") != 0 }
    nonmutating set { tree.set("reverb.on", newValue ? 1 : 0) }
  }

  public var preset: ReverbPreset {
    get { ReverbPreset(place: Int(tree.value("reverb.preset").rounded())) }
    nonmutating set {
      tree.set("reverb.preset", Float(ReverbPreset.allCases.firstIndex(of: newValue) ?? 0))
    }
  }

  /// The reverb's level in decibels, −40 to 40.
  public var level: Float {
    get { tree.value("reverb.level") }
    nonmutating set { tree.set("reverb.level", newValue) }
  }

  /// The filter after the reverb.
  public var filter: EnvironmentFilter { EnvironmentFilter(tree: tree) }
}

/// The filter at the output of an environment's reverb, bypassed by default.
///
/// AUv3: `AVAudioEnvironmentReverbParameters.filterParameters`.
/// - Thread: [control]
public struct EnvironmentFilter: Sendable {
  let tree: ParameterTree

  public var kind: EqualizerBandKind {
    get { EqualizerBandKind(place: Int(tree.value("reverb.filter.kind").rounded())) }
    nonmutating set {
      tree.set(
        "reverb.filter.kind", Float(EqualizerBandKind.allCases.firstIndex(of: newValue) ?? 0))
    }
  }

  /// The frequency in hertz, 20 to 20,000.
  public var frequency: Float {
    get { tree.value("reverb.filter.frequency") }
    nonmutating set { tree.set("reverb.filter.frequency", newValue) }
  }

  /// The gain in decibels, −96 to 24.
  public var gain: Float {
    get { tree.value("reverb.filter.gain") }
    nonmutating set { tree.set("reverb.filter.gain", newValue) }
  }

  /// The bandwidth in octaves, 0.05 to 5.
  public var bandwidth: Float {
    get { tree.value("reverb.filter.bandwidth") }
    nonmutating set { tree.set("reverb.filter.bandwidth", newValue) }
  }

  public var bypass: Bool {
    get { tree.value("reverb.filter.bypass") != 0 }
    nonmutating set { tree.set("reverb.filter.bypass", newValue ? 1 : 0) }
  }
}

extension EnvironmentUnit {
  /// The distance attenuation. AUv3: `distanceAttenuationParameters`.
  public var distance: DistanceAttenuation { DistanceAttenuation(tree: parameterTree) }

  /// The shared reverb. AUv3: `reverbParameters`.
  public var reverb: EnvironmentReverbSettings { EnvironmentReverbSettings(tree: parameterTree) }
}

extension ParameterTree {
  fileprivate func value(_ keyPath: String) -> Float { parameter(keyPath: keyPath)?.value ?? 0 }

  /// Sets a parameter to a value, limited to its range; NaN is ignored.
  fileprivate func set(_ keyPath: String, _ value: Float) {
    guard let parameter = parameter(keyPath: keyPath) else { return }
    let range = parameter.range
    parameter.value =
      value.isNaN ? parameter.value : min(max(value, range.lowerBound), range.upperBound)
  }
}
