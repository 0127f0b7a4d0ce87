// What of time effects and their chains outlives schedules.

import GraphRender
import UnitRender

/// The chain of a time effect as a plan needs it.
struct ChainUse: Sendable, Equatable {
  /// The time effect.
  let identity: NodeID
  /// The number of the chain that it is in itself, -1 for none.
  let parent: Int
}

/// The identity of a way into a chain.
struct CrossingKey: Hashable, Sendable {
  /// A unit of the chain.
  let unit: NodeID
  let effect: NodeID
}

/// A way of a unit's events into a chain as a plan needs it.
struct CrossingUse: Sendable, Equatable {
  let key: CrossingKey
  let unit: Int
  let chain: Int
  /// The number of the unit's way into the chain around, -1 for none.
  let outer: Int
}

/// What keeps the timeline of a chain as long as graphs use it.
final class GraphClock: Sendable {
  let clock = ChainClock()

  deinit { clock.deallocate() }
}

/// What keeps a way into a chain as long as graphs use it.
final class GraphCrossing: @unchecked Sendable {
  /// Both are used by one render thread at a time.
  let incoming: RenderEventList
  let waiting: DelayedEvents
  let events: Int
  let bytes: Int

  /// A way with as much room as the unit's own list has.
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
  /// Has the timelines and the ways into chains go on, and gives up those that nobody uses.
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
  ///   - effect: in whose chain the time effect is itself; nil for none.
  ///   - units: all that are in the chain, and in chains inside of it.
  /// - Returns: the place of the first step.
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

  /// Ends them, with what is heard at the effect's input.
  mutating func endChain(of index: Int, at place: Int) {
    steps[place] = .pull(
      for: index, chain: Int(steps[place].other), count: steps.count - place - 1)
  }
}
