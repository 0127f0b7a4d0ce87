// A schedule that is being laid out.

import GraphRender

struct ScheduleLayout {
  var ports = GraphPorts()
  var steps: [ScheduleStep] = []
  var bindings: [[BufferReference]]
  private(set) var poolCount = 0
  private(set) var inputPorts: [GraphBus: [BufferReference]] = [:]
  private(set) var outputs: [GraphBus: [BufferReference]] = [:]
  private var waitingReaders: [GraphBus: Int] = [:]
  private var freePool: [BufferReference] = []

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

  /// Gives an output without ports memory of the pool until `readers` units have read it. An output
  /// with ports renders into these, and who hears it inside reads it there.
  mutating func placeOutput(_ bus: GraphBus, channels: Int, readers: Int) {
    if outputs[bus] != nil { return }
    outputs[bus] = (0..<channels).map { _ in takePool() }
    waitingReaders[bus] = readers
  }

  /// One reader of an output has rendered; behind the last one its memory is free for others, so
  /// that a long chain stays in the processor's cache.
  mutating func finishReading(_ bus: GraphBus) {
    guard let readers = waitingReaders[bus] else { return }
    waitingReaders[bus] = readers - 1
    if readers == 1 { freePool += outputs[bus]! }
  }

  /// Binds an input to its only source, or to a mix of all.
  ///
  /// - Returns: the memory of the mix, free again once the unit has rendered.
  mutating func bindInput(
    unit: Int, channels: Int, sources: [[BufferReference]]
  ) -> [BufferReference] {
    if sources.count == 1 {
      bindings[unit] += sources[0]
      return []
    }
    var mixes: [BufferReference] = []
    for channel in 0..<channels {
      guard let first = sources.first else {
        bindings[unit].append(.silence)
        continue
      }
      let mix = takePool()
      steps.append(.copy(first[channel], to: mix))
      for source in sources.dropFirst() { steps.append(.add(source[channel], to: mix)) }
      bindings[unit].append(mix)
      mixes.append(mix)
    }
    return mixes
  }

  mutating func free(_ references: [BufferReference]) { freePool += references }

  private mutating func takePool() -> BufferReference {
    if let free = freePool.popLast() { return free }
    poolCount += 1
    return BufferReference(.pool, poolCount - 1)
  }
}
