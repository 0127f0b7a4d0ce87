// Finding units that can be rendered in parallel.

/// The branches of a graph, by unit. A unit of a branch needs nothing of another branch.
struct GraphBranches: Sendable, Equatable {
  /// The most branches: enough for two threads to share evenly, few enough that they seldom claim
  /// one.
  static let maximumCount = 32

  /// The number of branches; 0 or 1 if there is nothing to share.
  let count: Int
  /// Sections by unit: 0 before all branches, the branch's number from 1 on, or `count` + 1 after
  /// all branches.
  let sections: [Int]

  var behind: Int { count + 1 }
}

extension GraphDescription {
  /// Finds branches such that two threads can share as many units as possible.
  ///
  /// Units that several branches start from are rendered before them, units where branches meet
  /// after them. An effect chain counts as one unit with its time effect.
  ///
  /// - Parameter order: the rendering order.
  /// - Complexity: O(units + connections), at most some hundred times
  func branches(_ order: [Int]) -> GraphBranches {
    var search = BranchSearch(self, order)
    search.run()
    return search.found(nodes.indices.map { outermost($0) })
  }

  /// Returns the outermost time effect whose chain contains a unit; the unit itself if it is in no
  /// chain.
  fileprivate func outermost(_ unit: Int) -> Int {
    var current = unit
    while let effect = chainEffect(of: current) { current = effect }
    return current
  }
}

/// Removes units at the start and at the end of a connected part until it splits.
private struct BranchSearch {
  /// The most levels of units removed at either end.
  private static let deepest = 8

  /// Units outside chains, in rendering order.
  private let units: [Int]
  /// The number of units that each unit represents.
  private var weights: [Int]
  /// Successors by unit; never the unit itself.
  private var successors: [[Int]]
  private var before: Set<Int> = []
  private var behind: Set<Int> = []
  /// Connected parts, each in rendering order.
  private var parts: [[Int]] = []

  init(_ graph: GraphDescription, _ order: [Int]) {
    let count = graph.nodes.count
    units = order.filter { graph.chainEffect(of: $0) == nil }
    weights = Array(repeating: 0, count: count)
    successors = Array(repeating: [], count: count)
    for unit in graph.nodes.indices { weights[graph.outermost(unit)] += 1 }
    let connections =
      graph.edges.audio.map { ($0.from.unit, $0.to.unit) }
      + (graph.edges.midi + graph.edges.parameters).map { ($0.from, $0.to) }
    for (from, to) in connections where graph.outermost(from) != graph.outermost(to) {
      successors[graph.outermost(from)].append(graph.outermost(to))
    }
    // A unit that replaces another one writes to the same ports.
    var known: [String: Int] = [:]
    for unit in units {
      if let other = known.updateValue(unit, forKey: graph.nodes[unit].id) {
        successors[other].append(unit)
      }
    }
  }

  mutating func run() {
    parts = components(of: units)
    while let largest = parts.max(by: { weight(of: $0) < weight(of: $1) }) {
      let others = parts.filter { $0 != largest }
      let total = weight(of: units.filter { !before.contains($0) && !behind.contains($0) })
      guard weight(of: largest) * 2 > total,
        let cut = bestCut(of: largest, beside: others, shared: shared(parts))
      else { return }
      before.formUnion(cut.before)
      behind.formUnion(cut.behind)
      parts = others + cut.parts
    }
  }

  private struct Cut {
    var before: [Int]
    var behind: [Int]
    var parts: [[Int]]
  }

  /// Returns the cut after which most units can be shared, if more than now; nil otherwise.
  private func bestCut(of part: [Int], beside others: [[Int]], shared: Int) -> Cut? {
    let (depths, heights) = levels(of: part)
    var best: (shared: Int, cut: Cut)?
    let most = min(Self.deepest, (depths.max() ?? 0) + 1)
    for first in 0...most {
      for last in 0...most where first + last > 0 {
        var cut = Cut(before: [], behind: [], parts: [])
        var rest: [Int] = []
        for unit in part {
          if depths[unit] < first {
            cut.before.append(unit)
          } else if heights[unit] < last {
            cut.behind.append(unit)
          } else {
            rest.append(unit)
          }
        }
        cut.parts = components(of: rest)
        let nowShared = self.shared(others + cut.parts)
        if nowShared > best?.shared ?? shared { best = (nowShared, cut) }
      }
    }
    return best?.cut
  }

  /// Returns the number of units that run in parallel if two threads share the parts.
  private func shared(_ parts: [[Int]]) -> Int {
    let weights = parts.map { weight(of: $0) }
    let total = weights.reduce(0, +)
    return total - max(weights.max() ?? 0, (total + 1) / 2)
  }

  private func weight(of part: [Int]) -> Int { part.reduce(0) { $0 + weights[$1] } }

  /// Returns the numbers of a part's units before and after each unit on the longest path; -1 for
  /// units of other parts.
  private func levels(of part: [Int]) -> (depths: [Int], heights: [Int]) {
    var depths = Array(repeating: -1, count: successors.count)
    for unit in part { depths[unit] = 0 }
    var heights = depths
    for unit in part {
      for next in successors[unit] where depths[next] >= 0 {
        depths[next] = max(depths[next], depths[unit] + 1)
      }
    }
    for unit in part.reversed() {
      for next in successors[unit] where heights[next] >= 0 {
        heights[unit] = max(heights[unit], heights[next] + 1)
      }
    }
    return (depths, heights)
  }

  private func components(of units: [Int]) -> [[Int]] {
    /// For each unit, another unit of its component, nearer to the root; -1 for units outside the
    /// search.
    var roots = Array(repeating: -1, count: successors.count)
    for unit in units { roots[unit] = unit }
    func root(_ unit: Int) -> Int {
      var current = unit
      while roots[current] != current {
        roots[current] = roots[roots[current]]
        current = roots[current]
      }
      return current
    }
    for unit in units {
      for next in successors[unit] where roots[next] >= 0 { roots[root(next)] = root(unit) }
    }
    var parts: [[Int]] = []
    var partIndices = Array(repeating: -1, count: successors.count)
    for unit in units {
      let root = root(unit)
      if partIndices[root] < 0 {
        partIndices[root] = parts.count
        parts.append([])
      }
      parts[partIndices[root]].append(unit)
    }
    return parts
  }

  /// - Parameter outermost: by unit, the unit that represents it.
  func found(_ outermost: [Int]) -> GraphBranches {
    var branches = parts
    while branches.count > GraphBranches.maximumCount {
      branches.sort { $0.count > $1.count }
      let last = branches.removeLast()
      branches[branches.count - 1] += last
    }
    guard branches.count > 1 else {
      return GraphBranches(count: 0, sections: outermost.map { _ in 0 })
    }
    var sections: [Int: Int] = [:]
    for (index, branch) in branches.enumerated() {
      for unit in branch { sections[unit] = index + 1 }
    }
    return GraphBranches(
      count: branches.count,
      sections: outermost.map {
        sections[$0] ?? (before.contains($0) ? 0 : branches.count + 1)
      })
  }
}
