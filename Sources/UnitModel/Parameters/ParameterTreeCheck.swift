// Checking and indexing of the nodes of a parameter tree.

/// Checks the nodes of one tree, depth first.
struct ParameterTreeCheck {
  private(set) var parameters: [(keyPath: String, parameter: Parameter)] = []
  private(set) var indexByAddress: [ParameterAddress: Int] = [:]
  private(set) var nodes: [String: ParameterNode] = [:]
  private var seen: Set<ObjectIdentifier> = []

  mutating func visit(
    _ children: [ParameterNode], below group: String
  ) throws(ParameterTreeError) {
    for child in children {
      guard Self.isIdentifier(child.identifier) else {
        throw .invalidIdentifier(child.identifier, below: group)
      }
      let keyPath = group.isEmpty ? child.identifier : group + "." + child.identifier
      guard !child.isInTree, seen.insert(ObjectIdentifier(child)).inserted else {
        throw .alreadyInTree(keyPath)
      }
      guard nodes.updateValue(child, forKey: keyPath) == nil else {
        throw .duplicateIdentifier(keyPath: keyPath)
      }
      if let parameter = child as? Parameter { try add(parameter, at: keyPath) }
      if let inner = child as? ParameterGroup { try visit(inner.children, below: keyPath) }
    }
  }

  private mutating func add(
    _ parameter: Parameter, at keyPath: String
  ) throws(ParameterTreeError) {
    if let first = indexByAddress.updateValue(parameters.count, forKey: parameter.address) {
      throw .duplicateAddress(
        parameter.address, first: parameters[first].keyPath, second: keyPath)
    }
    let range = parameter.range
    guard range.lowerBound.isFinite, range.upperBound.isFinite else {
      throw .rangeNotFinite(keyPath: keyPath)
    }
    guard range.contains(parameter.defaultValue) else {
      throw .defaultOutOfRange(
        keyPath: keyPath, defaultValue: parameter.defaultValue, range: range)
    }
    if !parameter.valueStrings.isEmpty {
      let count = Double(range.upperBound.rounded()) - Double(range.lowerBound.rounded()) + 1
      guard parameter.unit == .indexed, count == Double(parameter.valueStrings.count) else {
        throw .valueStringsDoNotFit(
          keyPath: keyPath, expected: Int(min(count, 1e9)),
          given: parameter.valueStrings.count)
      }
    }
    parameters.append((keyPath, parameter))
  }

  private static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x5F
      }
  }
}
