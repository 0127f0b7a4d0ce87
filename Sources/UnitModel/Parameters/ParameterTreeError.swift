// Errors of making a parameter tree.

/// A mistake in the nodes of a parameter tree.
public enum ParameterTreeError: Error, Sendable, Hashable, CustomStringConvertible {
  case invalidIdentifier(String, below: String)
  case duplicateIdentifier(keyPath: String)
  case duplicateAddress(ParameterAddress, first: String, second: String)
  case rangeNotFinite(keyPath: String)
  case defaultOutOfRange(keyPath: String, defaultValue: Float, range: ClosedRange<Float>)
  case valueStringsDoNotFit(keyPath: String, expected: Int, given: Int)
  case alreadyInTree(String)

  public var description: String {
    switch self {
    case .invalidIdentifier(let identifier, let group):
      "identifier \"\(identifier)\"\(group.isEmpty ? "" : " in \(group)"): use letters, digits and _"
    case .duplicateIdentifier(let keyPath):
      "two nodes have the key path \(keyPath); give each its own identifier"
    case .duplicateAddress(let address, let first, let second):
      "\(first) and \(second) both have address \(address); give each its own"
    case .rangeNotFinite(let keyPath):
      "\(keyPath): both ends of the range must be finite"
    case .defaultOutOfRange(let keyPath, let value, let range):
      "\(keyPath): the default \(value) is outside \(range.lowerBound) to \(range.upperBound)"
    case .valueStringsDoNotFit(let keyPath, let expected, let given):
      "\(keyPath): \(given) value strings for \(expected) values; name each value, of unit .indexed"
    case .alreadyInTree(let keyPath):
      "\(keyPath) is already in a tree; make a new node for each tree"
    }
  }
}
