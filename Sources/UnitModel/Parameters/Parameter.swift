// A numeric value of a unit that can be set, shown, automated and saved.

import Synchronization

/// A single value of a unit.
///
/// A unit declares a parameter as a property, which reads and sets its value; `$` before the
/// property's name gives the parameter itself:
///
/// ```swift
/// @Parameter(identifier: "mix", name: "Mix", address: 3, range: 0...100, unit: .percent)
/// public var mix: Float = 50
/// ```
///
/// AUv3: `AUParameter`.
@propertyWrapper
public final class Parameter: ParameterNode, @unchecked Sendable {
  /// The address: unique in the tree, and the same in every version of the unit.
  ///
  /// - Thread: [any]
  public let address: ParameterAddress
  /// The range of values, in its unit.
  ///
  /// - Thread: [any]
  public let range: ClosedRange<Float>
  /// The initial value, within the range.
  ///
  /// - Thread: [any]
  public let defaultValue: Float
  /// The unit of measure of the values.
  ///
  /// - Thread: [any]
  public let unit: ParameterUnit
  /// The name of the unit: the given name, otherwise the unit's symbol.
  ///
  /// - Thread: [any]
  public let unitName: String
  /// The parameter's abilities.
  ///
  /// - Thread: [any]
  public let flags: ParameterFlags
  /// The names of an indexed parameter's values, from `range.lowerBound` on; empty without names.
  ///
  /// - Thread: [any]
  public let valueStrings: [String]
  /// Whether only whole numbers are values. Fractions are rounded when they take effect.
  ///
  /// - Thread: [any]
  public let isWhole: Bool

  let stored: Mutex<Float>

  /// Makes a parameter for a parameter tree.
  ///
  /// `ParameterTree` reports mistakes such as a default outside the range or missing value strings.
  ///
  /// - Parameters:
  ///   - range: The range of values, in `unit`; both ends finite.
  ///   - defaultValue: The initial value; the range's lower end if nil.
  ///   - unitName: A name in place of the unit's symbol.
  ///   - valueStrings: For an indexed parameter, a name for each whole number of the range.
  ///   - isWhole: Whether only whole numbers are values; if nil, derived from the unit and the
  ///     flags.
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

  /// Makes the parameter of a property, whose initial value is the parameter's; see the other
  /// initializer.
  ///
  /// - Thread: [control]
  public convenience init(
    wrappedValue: Float, identifier: String, name: String, address: ParameterAddress,
    range: ClosedRange<Float>, unit: ParameterUnit = .generic, unitName: String? = nil,
    flags: ParameterFlags = [.readable, .writable], valueStrings: [String] = [],
    isWhole: Bool? = nil
  ) {
    self.init(
      identifier: identifier, name: name, address: address, range: range,
      defaultValue: wrappedValue, unit: unit, unitName: unitName, flags: flags,
      valueStrings: valueStrings, isWhole: isWhole)
  }

  /// The value, as a property of a unit reads and sets it; see `value`.
  ///
  /// - Thread: [control]
  public var wrappedValue: Float {
    get { value }
    set { value = newValue }
  }

  /// The parameter itself.
  ///
  /// - Thread: [any]
  public var projectedValue: Parameter { self }

  /// The least value of the range.
  ///
  /// AUv3: `minValue`.
  /// - Thread: [any]
  public var minValue: Float { range.lowerBound }
  /// The greatest value of the range.
  ///
  /// AUv3: `maxValue`.
  /// - Thread: [any]
  public var maxValue: Float { range.upperBound }
}
