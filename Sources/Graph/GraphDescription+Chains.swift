// Effect chains: the units that feed time effects.

import UnitModel

/// The reason why the units that feed a time effect cannot be rendered on a separate timeline.
public enum TimeEffectProblem: Sendable, Hashable, CustomStringConvertible {
  /// The unit has live input, which has no frames in advance.
  case liveInput(unit: String)
  /// The unit also feeds a receiver on another timeline. The receiver is a unit, or "ports of its
  /// own".
  case otherReceiver(unit: String, other: String)
  /// Too many time effects feed each other in a row.
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
  /// The most time effects that may feed each other in a row.
  static let deepestChain = 2

  /// Returns the time effect whose chain contains a unit; nil for none.
  func chainEffect(of unit: Int) -> Int? {
    chainEffects.isEmpty ? nil : chainEffects[unit]
  }

  /// Whether a unit renders or receives only frames that a time effect requests, and no live input.
  func isPulled(_ unit: Int) -> Bool {
    nodes[unit].isTimeEffect || chainEffect(of: unit) != nil
  }

  /// Returns the units of a time effect's chain, and these plus all units in chains inside it, in
  /// rendering order.
  func unitsInChain(of effect: Int, _ order: [Int]) -> (own: [Int], all: [Int]) {
    let own = order.filter { chainEffect(of: $0) == effect }
    let all = order.filter { unit in
      var around = chainEffect(of: unit)
      while let index = around, index != effect { around = chainEffect(of: index) }
      return around == effect
    }
    return (own, all)
  }

  /// Assigns units to chains. A time effect's chain contains all units whose audio leads to it. It
  /// also contains units without outputs whose audio comes only from the chain.
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

  /// Returns the chain that a unit's sources belong to, by its time effect; nil for none.
  private func chainBehind(_ unit: Int, _ effects: [Int?]) -> Int? {
    nodes[unit].isTimeEffect ? unit : effects[unit]
  }

  private func receivers(of unit: Int) -> Set<Int> {
    Set(edges.audio.filter { $0.from.unit == unit }.map(\.to.unit))
  }

  /// Whether a unit has no audio outputs and is not a time effect.
  private func isEnd(_ unit: Int) -> Bool {
    nodes[unit].outputs.isEmpty && !nodes[unit].isTimeEffect
  }

  /// Whether `checkChains` throws no error.
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

  /// Returns a text that names a receiver of a unit other than its chain; nil if there is none.
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
