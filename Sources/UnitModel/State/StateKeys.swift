// The keys of a unit's state.

/// Keys of a state and of a preset file.
///
/// AUv3: `kAUPreset…Key`, with their values; the last three are ours.
public enum StateKey {
  /// The component's type as a number.
  public static let type = "type"
  /// The component's subtype as a number.
  public static let subtype = "subtype"
  /// The component's manufacturer as a number.
  public static let manufacturer = "manufacturer"
  /// The version of the component that wrote the state.
  public static let version = "version"
  /// The name of the preset; "Untitled" without one.
  public static let name = "name"
  /// The parameters' values in the binary form.
  public static let data = "data"
  /// The number of the preset.
  public static let presetNumber = "preset-number"

  /// A dictionary of parameter key paths to values.
  public static let parameters = "parameters"
  /// A dictionary of the unit's own settings.
  public static let settings = "settings"
  /// Bypass of the unit; only in documents.
  public static let bypass = "bypass"

  /// Standard keys that hosts write for their own use; units ignore them.
  static let ofHosts: Set<String> = [
    "vstdata", "render-quality", "cpu-load", "element-name", "part", "external-file-refs",
  ]
  static let known: Set<String> =
    ofHosts.union([
      type, subtype, manufacturer, version, name, data, presetNumber, parameters, settings, bypass,
    ])
}
