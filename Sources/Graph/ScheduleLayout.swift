// A schedule that is being laid out.

import GraphRender

struct ScheduleLayout {
  var ports = GraphPorts()
  var steps: [ScheduleStep] = []
  var bindings: [[BufferReference]]
  private(set) var poolCount = 0
  private(set) var inputPorts: [GraphBus: [BufferReference]] = [:]
  private(set) var outputs: [GraphBus: [BufferReference]] = [:]

  init(unitCount: Int) {
    bindings = Array(repeating: [], count: unitCount)
  }

  mutating func addInputPort(_ port: GraphPort, _ bus: GraphBus) {
    inputPorts[bus, default: []].append(.init(.externalInput, ports.audioInputs.count))
    ports.audioInputs.append(port)
  }

  mutating func addOutputPort(_ port: GraphPort, _ bus: GraphBus) {
    outputs[bus, default: []].append(.init(.externalOutput, ports.audioOutputs.count))
    ports.audioOutputs.append(port)
  }

  /// Gives an output without ports memory of the pool. An output with ports renders into these, and
  /// who hears it inside reads it there.
  mutating func placeOutput(_ bus: GraphBus, channels: Int) {
    if outputs[bus] != nil { return }
    outputs[bus] = (0..<channels).map { _ in takePool() }
  }

  /// Binds an input to its only source, or to a mix of all.
  mutating func bindInput(unit: Int, channels: Int, sources: [[BufferReference]]) {
    if sources.count == 1 {
      bindings[unit] += sources[0]
      return
    }
    for channel in 0..<channels {
      guard let first = sources.first else {
        bindings[unit].append(.silence)
        continue
      }
      let mix = takePool()
      steps.append(.copy(first[channel], to: mix))
      for source in sources.dropFirst() { steps.append(.add(source[channel], to: mix)) }
      bindings[unit].append(mix)
    }
  }

  private mutating func takePool() -> BufferReference {
    poolCount += 1
    return BufferReference(.pool, poolCount - 1)
  }
}
