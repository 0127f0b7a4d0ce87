// Who wants to hear of every change.

import Synchronization
import UnitModel

/// Observers of parameters, below paths of several units, that tell each change. They are gone with
/// `end`.
///
/// They also hear of the parameters of a unit whose tree is replaced.
final class SessionWatch: Sendable {
  typealias Tell = @Sendable (ParameterReading) -> Void

  private struct Observed: @unchecked Sendable {
    let unit: AudioUnit
    let node: ParameterNode
    let token: ParameterObserverToken
  }

  private struct State {
    var observed: [Observed] = []
    var trees: [(unit: AudioUnit, token: PropertyObserverToken)] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let paths: [SessionPath]
  private let tell: Tell

  /// - Parameter paths: those of a session's units; others have nothing to tell.
  /// - Thread: [control]
  init(
    _ paths: [String], of units: [(id: String, unit: AudioUnit)], tell: @escaping Tell
  ) {
    var known: Set<SessionPath> = []
    self.paths = paths.map { SessionPath($0) }.filter { known.insert($0).inserted }
    self.tell = tell
    for (id, unit) in units where self.paths.contains(where: { $0.unit == id }) {
      observe(unit, id)
      let token = unit.token(byAddingPropertyObserver: { [weak self, weak unit] property in
        guard property == .parameterTree, let unit else { return }
        self?.observe(unit, id)
      })
      state.withLock { $0.trees.append((unit, token)) }
    }
  }

  /// - Thread: [any]
  func end() {
    let (observed, trees) = state.withLock { state in
      defer { state = State(hasEnded: true) }
      return (state.observed, state.trees)
    }
    for one in observed { one.node.removeParameterObserver(one.token) }
    for (unit, token) in trees { unit.removePropertyObserver(token) }
  }

  /// Observes the tree that a unit has now, and no other.
  private func observe(_ unit: AudioUnit, _ id: String) {
    let tree = unit.parameterTree
    let nodes = paths.filter { $0.unit == id }.compactMap { path in
      path.keyPath.map { tree.node(keyPath: $0) } ?? tree
    }
    let new = nodes.map { node in
      Observed(
        unit: unit, node: node,
        token: node.token(byAddingParameterObserver: { [weak tree, tell] address, value in
          guard let parameter = tree?.parameter(address: address) else { return }
          tell(ParameterReading(parameter, of: id, value: value))
        }))
    }
    let old = state.withLock { state in
      if state.hasEnded { return new }
      let old = state.observed.filter { $0.unit === unit }
      state.observed.removeAll { $0.unit === unit }
      state.observed += new
      return old
    }
    for one in old { one.node.removeParameterObserver(one.token) }
  }
}
