// What feeds time effects.

import UnitModel

/// Why what feeds a time effect cannot be rendered on a timeline of its own.
public enum TimeEffectProblem: Sendable, Hashable, CustomStringConvertible {
  /// It gets frames from outside, which has no more of them than have come.
  case liveInput(unit: String)
  /// It feeds something else, too, whose frames are others. The other is a unit, or "its ports".
  case otherReceiver(unit: String, other: String)
  /// There are time effects behind each other, and more of them than there may be.
  case nested(units: [String])

  public var description: String {
    switch self {
    case .liveInput(let unit):
      "'\(unit)' would get live input, which cannot give more frames than have come; feed the time"
        + " effect with a player or another unit that makes its sound"
    case .otherReceiver(let unit, let other):
      "'\(unit)' feeds it and \(other) as well, which needs other frames; connect that behind the"
        + " time effect, or give it a unit of its own"
    case .nested(let units):
      "\(units.joined(separator: " -> ")) are behind each other, and each may need four times the"
        + " frames of the next; \(GraphDescription.deepestChain) may be"
    }
  }
}

extension GraphDescription {
  /// How many time effects may be behind each other.
  static let deepestChain = 2

  /// The time effect in whose chain a unit is; nil for none.
  func chainEffect(of unit: Int) -> Int? {
    chainEffects.isEmpty ? nil : chainEffects[unit]
  }

  /// Whether a unit renders or takes what a time effect asks for, and nothing from outside.
  func isPulled(_ unit: Int) -> Bool {
    nodes[unit].isTimeEffect || chainEffect(of: unit) != nil
  }

  /// The units of a time effect's chain, and those with all in chains inside of it, in the order of
  /// rendering.
  func unitsInChain(of effect: Int, _ order: [Int]) -> (own: [Int], all: [Int]) {
    let own = order.filter { chainEffect(of: $0) == effect }
    let all = order.filter { unit in
      var around = chainEffect(of: unit)
      while let place = around, place != effect { around = chainEffect(of: place) }
      return around == effect
    }
    return (own, all)
  }

  /// Finds whose chain each unit is in: a time effect's is all whose audio leads to it, and what
  /// hears nothing else and is heard nowhere.
  mutating func findChains() {
    chainEffects = []
    guard nodes.contains(where: \.isTimeEffect) else { return }
    var effects: [Int?] = Array(repeating: nil, count: nodes.count)
    let order = edges.renderingOrder(nodes.indices)
    for unit in order.reversed() {
      effects[unit] = receivers(of: unit).compactMap { chainBehind($0, effects) }.min()
    }
    for unit in order where effects[unit] == nil && isEnd(unit) {
      let sources = Set(edges.audio.filter { $0.to.unit == unit }.map(\.from.unit))
      let chains = Set(sources.map { effects[$0] })
      if chains.count == 1, let chain = chains.first { effects[unit] = chain }
    }
    chainEffects = effects
  }

  /// In whose chain is what feeds a unit; nil for none.
  private func chainBehind(_ unit: Int, _ effects: [Int?]) -> Int? {
    nodes[unit].isTimeEffect ? unit : effects[unit]
  }

  private func receivers(of unit: Int) -> Set<Int> {
    Set(edges.audio.filter { $0.from.unit == unit }.map(\.to.unit))
  }

  /// Whether a unit only listens.
  private func isEnd(_ unit: Int) -> Bool {
    nodes[unit].outputs.isEmpty && !nodes[unit].isTimeEffect
  }

  /// Whether `checkChains` has nothing to say.
  var hasWholeChains: Bool {
    do throws(GraphError) { try checkChains() } catch { return false }
    return true
  }

  /// - Throws: `timeEffect`.
  func checkChains() throws(GraphError) {
    guard !chainEffects.isEmpty else { return }
    for unit in nodes.indices {
      let effect = chainEffects[unit] ?? (nodes[unit].isTimeEffect ? unit : nil)
      if let effect, let problem = inputProblem(of: unit) {
        throw .timeEffect(id: nodes[effect].id, problem)
      }
      guard let effect = chainEffects[unit] else { continue }
      if let other = otherReceiver(of: unit, effect) {
        throw .timeEffect(
          id: nodes[effect].id, .otherReceiver(unit: nodes[unit].id, other: other))
      }
      var around = [unit]
      while let next = chainEffects[around.last!] { around.append(next) }
      let nested = around.filter { nodes[$0].isTimeEffect }
      if nested.count > Self.deepestChain {
        throw .timeEffect(
          id: nodes[nested.last!].id, .nested(units: nested.map { nodes[$0].id }))
      }
    }
  }

  private func inputProblem(of unit: Int) -> TimeEffectProblem? {
    let hasPorts = nodes[unit].inputs.indices.contains {
      let bus = GraphBus(unit: unit, bus: $0)
      return ports?.inputs.contains(bus) ?? edges.exposedInputs.contains(bus)
    }
    return hasPorts ? .liveInput(unit: nodes[unit].id) : nil
  }

  /// What a unit feeds beside a chain, in words; nil for nothing.
  private func otherReceiver(of unit: Int, _ effect: Int) -> String? {
    let shown = nodes[unit].outputs.indices.contains {
      let bus = GraphBus(unit: unit, bus: $0)
      return ports?.outputs.contains(bus) ?? edges.exposedOutputs.contains(bus)
    }
    let showsMIDI =
      ports?.midiOutputs.contains(unit) ?? edges.exposedMIDIOutputs.contains(unit)
    if shown || showsMIDI { return "ports of its own" }
    let others =
      receivers(of: unit).filter { chainBehind($0, chainEffects) != effect }
      + (edges.midi + edges.parameters).filter { $0.from == unit && chainEffects[$0.to] != effect }
      .map(\.to)
    return others.min().map { "'\(nodes[$0].id)'" }
  }
}
