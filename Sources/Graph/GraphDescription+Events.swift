// Steps that bring events to a unit.

import GraphRender

extension GraphDescription {
  /// Adds the steps that bring a unit the events of other units, and delayed events from its ports.
  ///
  /// - Parameter effect: the time effect whose chain contains the sources; nil for sources in no
  ///   chain and for ports.
  func addEventSteps(
    of index: Int, from effect: Int?, _ changes: GraphChanges, to layout: inout ScheduleLayout
  ) {
    let identity = nodes[index].identity
    if effect == nil, hasMIDIInputPort(index),
      let delay = layout.addQueue(
        .ports(of: identity), unit: index, ends: changes.endingMIDIInputs.contains(index),
        { $0.waitAtPorts(of: index) })
    {
      layout.steps.append(.delayPortMIDI(to: index, queue: delay.queue, delay.wait))
    }
    // Removed connections first: their releases precede new events on the same frame.
    for isEnding in [true, false] {
      for (edge, connection) in edges.midi.enumerated()
      where connection.to == index && chainEffect(of: connection.from) == effect
        && changes.endingMIDI.contains(connection) == isEnding
      {
        let delay = layout.addQueue(
          .midi(from: nodes[connection.from].identity, to: identity), ends: isEnding,
          { $0.wait(from: connection.from, to: index) })
        if isEnding {
          layout.steps.append(.endMIDI(to: index, edge: edge, queue: delay?.queue ?? -1))
        } else if let delay {
          layout.steps.append(
            .delayMIDI(
              from: connection.from, to: index, edge: edge, queue: delay.queue, delay.wait))
        } else {
          layout.steps.append(.transferMIDI(from: connection.from, to: index, edge: edge))
        }
      }
    }
    let target = Int(Int32(truncatingIfNeeded: identity.number))
    for connection in edges.parameters
    where connection.to == index && chainEffect(of: connection.from) == effect {
      let delay = layout.addQueue(
        .parameters(from: nodes[connection.from].identity, to: identity),
        ends: changes.endingParameters.contains(connection),
        { $0.wait(from: connection.from, to: index) })
      layout.steps.append(
        delay.map {
          .delayParameters(
            from: connection.from, to: index, target: target, queue: $0.queue, $0.wait)
        } ?? .transferParameters(from: connection.from, to: index, target: target))
    }
  }
}
