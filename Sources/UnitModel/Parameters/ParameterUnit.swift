// Units of measure of parameters, with the symbols written after values.

/// The unit of measure of a parameter, with AudioToolbox's raw values.
///
/// AUv3: `AudioUnitParameterUnit`.
public enum ParameterUnit: UInt32, Sendable, Hashable, CaseIterable {
  case generic = 0
  /// A whole number that selects one of the parameter's `valueStrings`.
  case indexed
  /// 0 is off, any other value on.
  case boolean
  case percent
  case seconds
  case sampleFrames
  /// Degrees from −180 to 180.
  case phase
  /// A multiplier of a playback speed.
  case rate
  case hertz
  case cents
  case relativeSemitones
  /// 0 to 127.
  case midiNoteNumber
  /// 0 to 127.
  case midiController
  case decibels
  /// A factor; 1 leaves the level unchanged.
  case linearGain
  case degrees
  /// 0 to 100.
  case equalPowerCrossfade
  /// 0 to 1.
  case mixerFaderCurve
  /// −1 (left) to 1 (right).
  case pan
  case meters
  case absoluteCents
  case octaves
  case beatsPerMinute
  case beats
  case milliseconds
  case ratio
  /// The parameter supplies the unit's name, in `unitName`.
  case custom
  case midi2Controller

  /// The symbol written after a value, empty for units without one.
  ///
  /// - Thread: [any]
  public var symbol: String {
    switch self {
    case .percent, .equalPowerCrossfade: "%"
    case .seconds: "s"
    case .sampleFrames: "frames"
    case .phase, .degrees: "°"
    case .rate: "x"
    case .hertz: "Hz"
    case .cents, .absoluteCents: "cents"
    case .relativeSemitones: "semitones"
    case .decibels: "dB"
    case .meters: "m"
    case .octaves: "octaves"
    case .beatsPerMinute: "BPM"
    case .beats: "beats"
    case .milliseconds: "ms"
    case .ratio: ":1"
    case .generic, .indexed, .boolean, .midiNoteNumber, .midiController, .linearGain,
      .mixerFaderCurve, .pan, .custom, .midi2Controller:
      ""
    }
  }
}
