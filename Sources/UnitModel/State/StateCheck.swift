// A check of a whole state before any of it is applied.

/// The checked contents of a state.
struct StateCheck {
  let values: [ParameterAddress: Float]
  let settings: StateDictionary
  let isBypassed: Bool
  let preset: Preset?

  init(
    _ state: StateDictionary, tree: ParameterTree, component: ComponentDescription
  ) throws(StateError) {
    if let key = state.keys.sorted().first(where: { !StateKey.known.contains($0) }) {
      throw .unknownEntry(key)
    }
    for key in [StateKey.type, StateKey.subtype, StateKey.manufacturer] where state[key] == nil {
      throw .missingEntry(key)
    }
    let codes = ComponentDescription(state: state)
    guard let codes, codes.namesSameComponent(as: component) else {
      throw .wrongComponent(found: codes?.codes ?? "no component", expected: component.codes)
    }
    values = try Self.values(in: state, tree: tree)
    settings = try Self.dictionary(StateKey.settings, in: state) ?? [:]

    switch state[StateKey.bypass] {
    case nil: isBypassed = false
    case .boolean(let value)?: isBypassed = value
    case let other?:
      throw .wrongKind(StateKey.bypass, found: other.kind, expected: "a boolean")
    }
    switch (state[StateKey.presetNumber], state[StateKey.name]) {
    case (.integer(let number)?, .string(let name)?): preset = Preset(number: number, name: name)
    case (nil, .string?), (nil, nil): preset = nil
    case (.integer?, nil): throw .missingEntry(StateKey.name)
    case (.integer?, let other?), (nil, let other?):
      throw .wrongKind(StateKey.name, found: other.kind, expected: "a string")
    case (let other?, _):
      throw .wrongKind(StateKey.presetNumber, found: other.kind, expected: "an integer")
    }
  }

  private static func values(
    in state: StateDictionary, tree: ParameterTree
  ) throws(StateError) -> [ParameterAddress: Float] {
    if let entries = try dictionary(StateKey.parameters, in: state) {
      var values: [ParameterAddress: Float] = [:]
      for (keyPath, entry) in entries.sorted(by: { $0.key < $1.key }) {
        guard let parameter = tree.parameter(keyPath: keyPath) else {
          throw unknown(keyPath, in: tree)
        }
        guard let number = entry.number else {
          throw .wrongKind(keyPath, found: entry.kind, expected: "a number")
        }
        values[parameter.address] = try checked(number, for: parameter)
      }
      return values
    }
    guard let entry = state[StateKey.data] else { throw .missingEntry(StateKey.parameters) }
    guard case .data(let data) = entry, let pairs = ParameterData.decode(data) else {
      throw .wrongKind(StateKey.data, found: entry.kind, expected: "parameter data")
    }
    var values: [ParameterAddress: Float] = [:]
    for (address, value) in pairs {
      guard let parameter = tree.parameter(address: address) else {
        throw unknown("with address \(address)", in: tree)
      }
      values[address] = try checked(Double(value), for: parameter)
    }
    return values
  }

  private static func checked(
    _ number: Double, for parameter: Parameter
  ) throws(StateError) -> Float {
    guard parameter.flags.contains(.writable) else {
      throw .parameter(.notWritable(keyPath: parameter.keyPath))
    }
    let value = Float(number)
    guard parameter.range.contains(value) else {
      throw .valueOutOfRange(parameter.keyPath, value: number, range: parameter.range)
    }
    return value
  }

  private static func dictionary(
    _ key: String, in state: StateDictionary
  ) throws(StateError) -> StateDictionary? {
    guard let entry = state[key] else { return nil }
    guard case .dictionary(let dictionary) = entry else {
      throw .wrongKind(key, found: entry.kind, expected: "a dictionary")
    }
    return dictionary
  }

  private static func unknown(_ name: String, in tree: ParameterTree) -> StateError {
    .unknownParameter(name, known: tree.allParameters.map(\.keyPath))
  }
}
