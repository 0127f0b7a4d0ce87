// How units are connected.

/// The connections of a graph, between places in its list of units.
struct GraphEdges: Sendable, Equatable {
  var audio: [GraphConnection<GraphBus>] = []
  var midi: [GraphConnection<Int>] = []
  /// Along which parameter events go.
  var parameters: [GraphConnection<Int>] = []
  var exposedInputs: Set<GraphBus> = []
  var exposedOutputs: Set<GraphBus> = []
  var exposedMIDIInputs: Set<Int> = []
  var exposedMIDIOutputs: Set<Int> = []

  func successors(of unit: Int) -> [Int] {
    audio.filter { $0.from.unit == unit }.map(\.to.unit)
      + (midi + parameters).filter { $0.from == unit }.map(\.to)
  }

  /// The units on a way from one to another, both of them; nil where there is none.
  func path(from start: Int, to goal: Int) -> [Int]? {
    var visited: Set<Int> = []
    return path(from: start, to: goal, &visited)
  }

  private func path(from start: Int, to goal: Int, _ visited: inout Set<Int>) -> [Int]? {
    if start == goal { return [start] }
    visited.insert(start)
    for next in successors(of: start) where !visited.contains(next) {
      if let rest = path(from: next, to: goal, &visited) { return [start] + rest }
    }
    return nil
  }

  /// The units so that each comes behind all that it hears; otherwise in the order of adding.
  func renderingOrder(_ units: Range<Int>) -> [Int] {
    var unrendered = units.map { unit in
      audio.count { $0.to.unit == unit } + (midi + parameters).count { $0.to == unit }
    }
    var order: [Int] = []
    var waiting = Array(units)
    // There is always one that waits for none: `checkCycle` has refused every circle.
    while let place = waiting.firstIndex(where: { unrendered[$0] == 0 }) {
      let unit = waiting.remove(at: place)
      order.append(unit)
      for next in successors(of: unit) { unrendered[next] -= 1 }
    }
    return order
  }
}
