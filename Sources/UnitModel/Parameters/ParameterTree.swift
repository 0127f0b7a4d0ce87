// The parameters of a unit, with lookup by key path and by address.

import Synchronization

/// The root of a unit's parameters.
///
/// AUv3: `AUParameterTree`.
public final class ParameterTree: ParameterGroup, @unchecked Sendable {
  private let parameters: [Parameter]
  private let indexByAddress: [ParameterAddress: Int]
  private let nodes: [String: ParameterNode]
  private let refusals = Atomic<Int>(0)

  /// Makes a tree of the given nodes, which join it permanently.
  ///
  /// - Throws: `ParameterTreeError` for identifiers or addresses used twice, identifiers that are
  ///   invalid in a key path, and inconsistent parameters.
  ///
  /// AUv3: `AUParameterTree.createTree(withChildren:)`.
  /// - Thread: [control]
  public init(children: [ParameterNode]) throws(ParameterTreeError) {
    var checked = ParameterTreeCheck()
    try checked.visit(children, below: "")
    parameters = checked.parameters.map(\.parameter)
    indexByAddress = checked.indexByAddress
    nodes = checked.nodes
    super.init(identifier: "", name: "", children: children)
    try join(children, of: self, below: "")
  }

  /// Every parameter of the tree. Its position in this array is its dense index.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public override var allParameters: [Parameter] { parameters }

  /// Returns the parameter with an address; nil if there is none.
  ///
  /// AUv3: `parameter(withAddress:)`.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func parameter(address: ParameterAddress) -> Parameter? {
    indexByAddress[address].map { parameters[$0] }
  }

  /// Returns the parameter at a key path such as `filter.cutoff`; nil if there is none.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func parameter(keyPath: String) -> Parameter? { nodes[keyPath] as? Parameter }

  /// Returns the parameter or group at a key path; nil if there is none.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func node(keyPath: String) -> ParameterNode? { nodes[keyPath] }

  /// Returns the index of a parameter in `allParameters`; nil if it is not in the tree.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func index(ofAddress address: ParameterAddress) -> Int? { indexByAddress[address] }

  /// The current values by key path.
  ///
  /// - Thread: [control]
  public var allValues: [String: Float] {
    var values: [String: Float] = [:]
    for parameter in parameters { values[parameter.keyPath] = parameter.value }
    return values
  }

  /// The number of values refused by `Parameter.value`, whose setter cannot throw.
  ///
  /// - Thread: [control]
  public var refusedValueCount: Int { refusals.load(ordering: .relaxed) }

  func countRefusedValue() { refusals.wrappingAdd(1, ordering: .relaxed) }

  private func join(
    _ children: [ParameterNode], of group: ParameterGroup, below prefix: String
  ) throws(ParameterTreeError) {
    for child in children {
      let keyPath = prefix + child.identifier
      guard child.join(parent: group, keyPath: keyPath) else { throw .alreadyInTree(keyPath) }
      if let inner = child as? ParameterGroup {
        try join(inner.children, of: inner, below: keyPath + ".")
      }
    }
  }
}
