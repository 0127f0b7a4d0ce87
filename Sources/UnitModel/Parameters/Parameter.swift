// One number of a unit that can be set, shown, automated and saved.

import Synchronization

/// A single value of a unit.
///
/// AUv3: `AUParameter`.
public final class Parameter: ParameterNode, @unchecked Sendable {
  /// Unique in the tree, and the same in every version of the unit.
  ///
  /// - Thread: [any]
  public let address: ParameterAddress
  /// The values it takes, in its unit.
  ///
  /// - Thread: [any]
  public let range: ClosedRange<Float>
  /// The value it has at first, within the range.
  ///
  /// - Thread: [any]
  public let defaultValue: Float
  /// What the values count.
  ///
  /// - Thread: [any]
  public let unit: ParameterUnit
  /// The name of the unit: the one given, or else the unit's symbol.
  ///
  /// - Thread: [any]
  public let unitName: String
  /// What may be done with it.
  ///
  /// - Thread: [any]
  public let flags: ParameterFlags
  /// The names of the values of an indexed parameter, from `range.lowerBound` on; empty without
  /// names.
  ///
  /// - Thread: [any]
  public let valueStrings: [String]
  /// Whether its values are whole numbers alone; others are rounded where they take effect.
  ///
  /// - Thread: [any]
  public let isWhole: Bool

  let stored: Mutex<Float>

  /// Makes a parameter that can be put into a tree.
  ///
  /// Mistakes (a default outside the range, missing value strings) are reported by `ParameterTree`.
  ///
  /// - Parameters:
  ///   - range: The values it takes, in `unit`; both ends finite.
  ///   - defaultValue: The first value; the range's lower end if nil.
  ///   - unitName: A name in place of the unit's symbol.
  ///   - valueStrings: For an indexed parameter, a name for each whole number of the range.
  ///   - isWhole: Whether it has whole numbers alone; if nil, what the unit and the flags say.
  ///
  /// AUv3: `AUParameterTree.createParameter(withIdentifier:…)`.
  /// - Thread: [control]
  public init(
    identifier: String, name: String, address: ParameterAddress, range: ClosedRange<Float>,
    defaultValue: Float? = nil, unit: ParameterUnit = .generic, unitName: String? = nil,
    flags: ParameterFlags = [.readable, .writable], valueStrings: [String] = [],
    isWhole: Bool? = nil
  ) {
    self.address = address
    self.range = range
    self.defaultValue = defaultValue ?? range.lowerBound
    self.unit = unit
    self.unitName = unitName ?? unit.symbol
    self.flags = flags
    self.valueStrings = valueStrings
    let isFine = flags.contains(.canRamp) || flags.contains(.highResolution)
    let units: [ParameterUnit] = [.indexed, .boolean, .midiNoteNumber, .midiController]
    self.isWhole = isWhole ?? (!isFine && units.contains(unit))
    stored = Mutex(self.defaultValue)
    super.init(identifier: identifier, displayName: name)
  }

  /// AUv3: `minValue`.
  ///
  /// - Thread: [any]
  public var minValue: Float { range.lowerBound }
  /// AUv3: `maxValue`.
  ///
  /// - Thread: [any]
  public var maxValue: Float { range.upperBound }
}
