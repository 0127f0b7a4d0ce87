// Lookup of a graph's units by id and object.

import UnitModel

/// The indices of a graph's units, and their successors.
struct GraphIndices {
  private var byID: [String: Int] = [:]
  private var byUnit: [ObjectIdentifier: Int] = [:]
  private(set) var hasTimeEffect = false
  /// The units that receive each unit's audio or events, one entry for each connection.
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

  /// Returns the units on a path from `start` to `goal`, both included; nil if there is no path.
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
