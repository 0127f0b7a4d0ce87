// All parameters of a unit, found by key path and by address.

import Synchronization

/// The root of a unit's parameters.
///
/// AUv3: `AUParameterTree`.
public final class ParameterTree: ParameterGroup, @unchecked Sendable {
  private let parameters: [Parameter]
  private let indexByAddress: [ParameterAddress: Int]
  private let nodes: [String: ParameterNode]
  private let refusals = Atomic<Int>(0)

  /// Makes a tree of the given nodes, which join it for good.
  ///
  /// - Throws: `ParameterTreeError` for identifiers or addresses used twice, identifiers that
  ///   cannot stand in a key path, and parameters that contradict themselves.
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

  /// Every parameter of the tree. Its place in this list is its dense index.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public override var allParameters: [Parameter] { parameters }

  /// The parameter with an address.
  ///
  /// AUv3: `parameter(withAddress:)`.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func parameter(address: ParameterAddress) -> Parameter? {
    indexByAddress[address].map { parameters[$0] }
  }

  /// The parameter at a key path such as `filter.cutoff`.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func parameter(keyPath: String) -> Parameter? { nodes[keyPath] as? Parameter }

  /// The parameter or group at a key path.
  ///
  /// - Thread: [any]
  /// - Complexity: O(1).
  public func node(keyPath: String) -> ParameterNode? { nodes[keyPath] }

  /// The place of a parameter in `allParameters`.
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

  /// How many values were refused because they were set through `Parameter.value`, which cannot
  /// throw.
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
