// State of time effects and effect chains that outlives schedules.

import GraphRender
import UnitRender

/// A plan's use of a time effect's chain.
struct ChainUse: Sendable, Equatable {
  /// The time effect.
  let identity: NodeID
  /// The index of the chain that contains the effect; -1 for none.
  let parent: Int
}

/// The identity of an event crossing: a path into a chain.
struct CrossingKey: Hashable, Sendable {
  /// A unit of the chain.
  let unit: NodeID
  let effect: NodeID
}

/// A plan's use of a crossing: a path of a unit's events into a chain.
struct CrossingUse: Sendable, Equatable {
  let key: CrossingKey
  let unit: Int
  let chain: Int
  /// The index of the unit's crossing into the surrounding chain; -1 for none.
  let outer: Int
}

/// Keeps the timeline of a chain as long as graphs use it.
final class GraphClock: Sendable {
  let clock = ChainClock()

  deinit { clock.deallocate() }
}

/// Keeps a crossing into a chain as long as graphs use it.
final class GraphCrossing: @unchecked Sendable {
  /// `incoming` and `waiting` are used by one render thread at a time.
  let incoming: RenderEventList
  let waiting: DelayedEvents
  let events: Int
  let bytes: Int

  /// Makes a crossing with the capacity of the unit's own event list.
  init(of unit: HostedUnit) {
    events = Int(unit.events.header.pointee.eventCapacity)
    bytes = Int(unit.events.header.pointee.payloadCapacity)
    incoming = .allocate(events: events, payload: bytes)
    waiting = DelayedEvents(events: events, bytes: bytes)
  }

  deinit {
    incoming.deallocate()
    waiting.deallocate()
  }

  func serves(_ unit: HostedUnit) -> Bool {
    events >= Int(unit.events.header.pointee.eventCapacity)
      && bytes >= Int(unit.events.header.pointee.payloadCapacity)
  }
}

extension KeptByGraphs {
  /// Reuses the timelines and crossings of `former`, and drops unused ones.
  mutating func keepChains(
    _ plan: SchedulePlan, _ prepared: [NodeID: PreparedUnit], following former: KeptByGraphs
  ) {
    for use in plan.chains { clocks[use.identity] = former.clocks[use.identity] ?? GraphClock() }
    for use in plan.crossings {
      let hosted = prepared[use.key.unit]!.hosting.hosted
      let known = former.crossings[use.key]
      crossings[use.key] =
        known.flatMap { $0.serves(hosted) ? $0 : nil } ?? GraphCrossing(of: hosted)
    }
    leftCrossings = former.crossings.filter { key, crossing in
      crossings[key] !== crossing && plan.units.contains { $0.identity == key.unit }
    }
  }

  func chains(of plan: SchedulePlan) -> ScheduleChains {
    var chains = ScheduleChains()
    chains.clocks = plan.chains.map { clocks[$0.identity]!.clock }
    chains.parents = plan.chains.map(\.parent)
    for (index, use) in plan.crossings.enumerated() {
      let crossing = crossings[use.key]!
      chains.crossings.append(
        EventCrossing(
          unit: use.unit, chain: use.chain, outer: use.outer,
          inner: plan.crossings.firstIndex { $0.outer == index } ?? -1,
          incoming: crossing.incoming, waiting: crossing.waiting))
    }
    for (key, crossing) in leftCrossings {
      guard let unit = plan.units.firstIndex(where: { $0.identity == key.unit }) else { continue }
      chains.crossings.append(
        EventCrossing(
          unit: unit, chain: -1, outer: -1, inner: -1, incoming: crossing.incoming,
          waiting: crossing.waiting))
    }
    return chains
  }
}

extension ScheduleLayout {
  /// Begins the steps of a time effect's chain.
  ///
  /// - Parameters:
  ///   - effect: the time effect whose chain contains this one; nil for none.
  ///   - units: all units in the chain, and in chains inside it.
  /// - Returns: the index of the first step.
  mutating func beginChain(
    of index: Int, in effect: Int?, _ nodes: [GraphDescription.Node], _ units: [Int]
  ) -> Int {
    let parent = effect.flatMap { effect in
      chains.firstIndex { $0.identity == nodes[effect].identity }
    }
    for unit in units {
      let outer = crossings.lastIndex { $0.unit == unit } ?? -1
      crossings.append(
        CrossingUse(
          key: CrossingKey(unit: nodes[unit].identity, effect: nodes[index].identity), unit: unit,
          chain: chains.count, outer: outer))
    }
    chains.append(ChainUse(identity: nodes[index].identity, parent: parent ?? -1))
    steps.append(.pull(for: index, chain: chains.count - 1, count: 0))
    return steps.count - 1
  }

  /// Ends the chain's steps, which include the mixing of the effect's inputs.
  mutating func endChain(of index: Int, at position: Int) {
    steps[position] = .pull(
      for: index, chain: Int(steps[position].other), count: steps.count - position - 1)
  }
}
