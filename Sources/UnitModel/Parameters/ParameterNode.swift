// The common base of parameters and groups: identity, the implementor's callbacks, observers.

import Synchronization

/// A numeric name of a parameter, unique in its tree and constant between versions.
///
/// AUv3: `AUParameterAddress`.
public typealias ParameterAddress = UInt64

/// A parameter or a group of parameters in a tree.
///
/// A node joins its tree when the tree is made; until then it has no parent and inherits nothing.
///
/// AUv3: `AUParameterNode`.
public class ParameterNode: @unchecked Sendable {
  /// The name inside the group: letters, digits and underscores, the same in every version.
  ///
  /// - Thread: [any]
  public let identifier: String

  /// The display name.
  ///
  /// - Thread: [any]
  public let displayName: String

  let state = Mutex(NodeState())

  init(identifier: String, displayName: String) {
    self.identifier = identifier
    self.displayName = displayName
  }

  /// The identifiers from the tree to this node, joined by dots: `filter.cutoff`.
  ///
  /// - Thread: [control]
  public var keyPath: String { state.withLock { $0.keyPath } ?? identifier }

  /// The group that holds this node; nil for the tree itself and before the tree is made.
  ///
  /// - Thread: [control]
  public var parent: ParameterGroup? { state.withLock { $0.parent } }

  /// Joins a tree. Returns false if the node already belongs to one.
  func join(parent: ParameterGroup, keyPath: String) -> Bool {
    state.withLock {
      guard $0.keyPath == nil else { return false }
      $0.parent = parent
      $0.keyPath = keyPath
      return true
    }
  }

  var isInTree: Bool { state.withLock { $0.keyPath != nil } }

  /// Returns a callback of this node, or else of the nearest group above that has one.
  func inherited<Callback: Sendable>(_ read: (borrowing NodeState) -> Callback?) -> Callback? {
    var node: ParameterNode? = self
    while let current = node {
      let (found, parent) = current.state.withLock { (read($0), $0.parent) }
      if let found { return found }
      node = parent
    }
    return nil
  }
}

/// State of a node, guarded by its lock.
struct NodeState: Sendable {
  weak var parent: ParameterGroup?
  var keyPath: String?
  var observers = ObserverList<NodeObserver>()

  var valueObserver: ParameterNode.ImplementorValueObserver?
  var valueProvider: ParameterNode.ImplementorValueProvider?
  var stringFromValue: ParameterNode.ImplementorStringFromValueCallback?
  var valueFromString: ParameterNode.ImplementorValueFromStringCallback?
}
