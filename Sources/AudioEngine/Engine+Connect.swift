// Connections between an engine's nodes.

import Session
public import UnitModel

extension Engine {
  /// Connects an output to an input. What was connected to that input before is not any more; a
  /// mixer gives every source an input of its own, and a source that it has already keeps its.
  ///
  /// - Parameters:
  ///   - bus: the output, from 0 on.
  ///   - input: the input, from 0 on; nil for the first, or a mixer's first free one.
  ///   - format: what the output is to have; nil for what it has. All is at the engine's sample
  ///     rate, whatever the format's is: players convert what they play.
  /// - Throws: `notAttached`, `noSuchBus`, `noFreeInput`, `format`, `refused`; nothing has changed
  ///   then.
  ///
  /// AUv3: `connect(_:to:fromBus:toBus:format:)`.
  public func connect(
    _ source: AudioUnit, bus: Int = 0, to destination: AudioUnit, input: Int? = nil,
    format: AudioFormat? = nil
  ) async throws(EngineError) {
    let (from, to) = (try id(of: source), try id(of: destination))
    try check(bus, source.outputBusses, from, isInput: false)
    if let input { try check(input, destination.inputBusses, to, isInput: true) }
    if let format { try set(format, of: source.outputBusses[bus], from) }
    try await edit("\(from) connected to \(to)") { (graph) throws(EngineError) in
      try graph.checkCircle(from, to)
      let isOpen = destination.inputBusses.isOpen
      let isThere = graph.connections.contains {
        $0.from == EngineGraph.End(id: from, bus: bus) && $0.to.id == to
      }
      if isOpen, input == nil, isThere { return }
      let taken = Set(graph.connections.filter { $0.to.id == to }.map(\.to.bus))
      var place = input ?? 0
      if isOpen, input == nil {
        let count = destination.inputBusses.maximumBusCount
        guard let free = (0..<count).first(where: { !taken.contains($0) }) else {
          throw .noFreeInput(id: to, count: count)
        }
        place = free
      }
      graph.connections.removeAll { $0.to == EngineGraph.End(id: to, bus: place) }
      graph.connections.append(
        EngineGraph.Connection(
          from: EngineGraph.End(id: from, bus: bus), to: EngineGraph.End(id: to, bus: place)))
    }
  }

  /// Ends what comes to a node.
  ///
  /// - Parameter input: from 0 on; nil for all of them.
  /// - Throws: `notAttached`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectNodeInput(_:bus:)`.
  public func disconnectInput(
    of unit: AudioUnit, input: Int? = nil
  ) async throws(EngineError) {
    let id = try id(of: unit)
    try await disconnect("what came to \(id) disconnected", id, isInput: true) {
      $0.to.id == id && $0.to.bus == input ?? $0.to.bus
    }
  }

  /// Ends what goes out of a node.
  ///
  /// - Parameter bus: from 0 on; nil for all of them.
  /// - Throws: `notAttached`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectNodeOutput(_:bus:)`.
  public func disconnectOutput(
    of unit: AudioUnit, bus: Int? = nil
  ) async throws(EngineError) {
    let id = try id(of: unit)
    try await disconnect("\(id) disconnected", id, isInput: false) {
      $0.from.id == id && $0.from.bus == bus ?? $0.from.bus
    }
  }

  private func disconnect(
    _ text: String, _ id: String, isInput: Bool,
    _ isMeant: @escaping @Sendable (EngineGraph.Connection) -> Bool
  ) async throws(EngineError) {
    try await edit(text) { (graph) throws(EngineError) in
      guard graph.connections.contains(where: isMeant) else {
        throw .notConnected(id: id, isInput: isInput)
      }
      graph.connections.removeAll(where: isMeant)
    }
  }

  private func check(
    _ bus: Int, _ busses: BusArray, _ id: String, isInput: Bool
  ) throws(EngineError) {
    let count = busses.isOpen ? busses.maximumBusCount : busses.busses.count
    guard (0..<count).contains(bus) else {
      throw .noSuchBus(id: id, bus: bus, count: count, isInput: isInput)
    }
  }

  private func set(_ format: AudioFormat, of bus: Bus, _ id: String) throws(EngineError) {
    guard bus.format.channelCount != format.channelCount else { return }
    do {
      try bus.setFormat(
        AudioFormat(sampleRate: bus.format.sampleRate, channelCount: format.channelCount))
    } catch { throw .format(id: id, reason: "\(error)") }
  }
}
