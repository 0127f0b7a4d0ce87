// A named group of parameters and groups.

/// A node that holds other nodes.
///
/// AUv3: `AUParameterGroup`.
public class ParameterGroup: ParameterNode, @unchecked Sendable {
  /// The nodes of this group, in the given order.
  ///
  /// - Thread: [any]
  public let children: [ParameterNode]

  /// Makes a group for a parameter tree.
  ///
  /// AUv3: `AUParameterTree.createGroup(withIdentifier:name:children:)`.
  /// - Thread: [control]
  public init(identifier: String, name: String, children: [ParameterNode]) {
    self.children = children
    super.init(identifier: identifier, displayName: name)
  }

  /// Makes a group with copies of another group's nodes, for units with several equal sections.
  ///
  /// Copies the implementor's callbacks, but no observers.
  ///
  /// - Parameter addressOffset: Added to every address of the template.
  ///
  /// AUv3: `AUParameterTree.createGroup(fromTemplate:identifier:name:addressOffset:)`.
  /// - Thread: [control]
  public convenience init(
    template: ParameterGroup, identifier: String, name: String, addressOffset: ParameterAddress
  ) {
    self.init(
      identifier: identifier, name: name,
      children: template.children.map { $0.copy(addressOffset: addressOffset) })
    copyCallbacks(of: template)
  }

  /// Every parameter below this group, depth first, in the given order.
  ///
  /// AUv3: `allParameters`.
  /// - Thread: [any]
  /// - Complexity: O(nodes below).
  public var allParameters: [Parameter] {
    children.flatMap { child -> [Parameter] in
      switch child {
      case let parameter as Parameter: [parameter]
      case let group as ParameterGroup: group.allParameters
      default: []
      }
    }
  }
}

extension ParameterNode {
  fileprivate func copy(addressOffset offset: ParameterAddress) -> ParameterNode {
    let copy: ParameterNode
    switch self {
    case let it as Parameter:
      copy = Parameter(
        identifier: it.identifier, name: it.displayName, address: it.address &+ offset,
        range: it.range, defaultValue: it.defaultValue, unit: it.unit, unitName: it.unitName,
        flags: it.flags, valueStrings: it.valueStrings, isWhole: it.isWhole)
    case let it as ParameterGroup:
      copy = ParameterGroup(
        identifier: it.identifier, name: it.displayName,
        children: it.children.map { $0.copy(addressOffset: offset) })
    default:
      preconditionFailure("a node is a parameter or a group")
    }
    copy.copyCallbacks(of: self)
    return copy
  }

  fileprivate func copyCallbacks(of other: ParameterNode) {
    implementorValueObserver = other.implementorValueObserver
    implementorValueProvider = other.implementorValueProvider
    implementorStringFromValueCallback = other.implementorStringFromValueCallback
    implementorValueFromStringCallback = other.implementorValueFromStringCallback
  }
}
