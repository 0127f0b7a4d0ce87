// Where the units of a graph are, without a search.

import UnitModel

/// The places of a graph's units in its list, and which come behind which.
struct GraphIndices {
  private var byID: [String: Int] = [:]
  private var byUnit: [ObjectIdentifier: Int] = [:]
  private(set) var hasTimeEffect = false
  /// By unit, those that hear it or get its events, one for each connection.
  private(set) var successors: [[Int]] = []

  subscript(_ id: String) -> Int? { byID[id] }

  subscript(_ unit: AudioUnit) -> Int? { byUnit[ObjectIdentifier(unit)] }

  mutating func append(_ unit: AudioUnit, id: String) {
    byID[id] = successors.count
    byUnit[ObjectIdentifier(unit)] = successors.count
    if unit is any TimeEffect { hasTimeEffect = true }
    successors.append([])
  }

  mutating func connect(_ unit: Int, _ successor: Int) { successors[unit].append(successor) }

  /// The units on a way from one to another, both of them; nil where there is none.
  func path(from start: Int, to goal: Int) -> [Int]? {
    var visited: Set<Int> = []
    return path(from: start, to: goal, &visited)
  }

  private func path(from start: Int, to goal: Int, _ visited: inout Set<Int>) -> [Int]? {
    if start == goal { return [start] }
    visited.insert(start)
    for next in successors[start] where !visited.contains(next) {
      if let rest = path(from: next, to: goal, &visited) { return [start] + rest }
    }
    return nil
  }
}
