// Connections between an engine's nodes.

import RecorderUnit
import Session
public import UnitModel

extension Engine {
  /// Connects an output to an input, in place of the connections that the output and the input
  /// had. A mixer gives every source a separate input; a source that is already connected to it
  /// keeps its input.
  ///
  /// The output's connections to other units end, also those that other clients have made. Its
  /// taps and its connections to ports outside the engine stay. `connect(_:bus:adding:input:)`
  /// keeps all of them. A connection to a tap is always added.
  ///
  /// - Parameters:
  ///   - bus: the output, from 0 on.
  ///   - input: the input, from 0 on; nil for the first, or a mixer's first free one.
  ///   - format: the output's new channel count; nil to keep it. An output that is being rendered
  ///     keeps its count until it is disconnected. The sample rate has to be `sampleRate`; players
  ///     convert their files. Over JACK it is not checked before the first start.
  /// - Throws: `notAttached`, `removed`, `noSuchBus`, `noFreeInput`, `format`, `refused`. The graph
  ///   is then unchanged.
  ///
  /// AUv3: `connect(_:to:fromBus:toBus:format:)`.
  /// - Thread: [control]
  public func connect(
    _ source: AudioUnit, bus: Int = 0, to destination: AudioUnit, input: Int? = nil,
    format: AudioFormat? = nil
  ) async throws(EngineError) {
    try await connect(
      source, bus, destination, input, format, moves: !(destination is TapUnit))
  }

  /// Connects an output to a further input, and keeps the output's other connections. The input's
  /// previous connection ends.
  ///
  /// - Parameters:
  ///   - bus: the output, from 0 on.
  ///   - input: the input, from 0 on; nil for the first, or a mixer's first free one.
  /// - Throws: `notAttached`, `removed`, `noSuchBus`, `noFreeInput`, `refused`. The graph is then
  ///   unchanged.
  ///
  /// AUv3: `connect(_:to:fromBus:format:)` with several connection points.
  /// - Thread: [control]
  public func connect(
    _ source: AudioUnit, bus: Int = 0, adding destination: AudioUnit, input: Int? = nil
  ) async throws(EngineError) {
    try await connect(source, bus, destination, input, nil, moves: false)
  }

  private func connect(
    _ source: AudioUnit, _ bus: Int, _ destination: AudioUnit, _ input: Int?,
    _ format: AudioFormat?, moves: Bool
  ) async throws(EngineError) {
    let (from, to) = (try id(of: source), try id(of: destination))
    try check(bus, source.outputBusses, from, isInput: false)
    if let input { try check(input, destination.inputBusses, to, isInput: true) }
    var former: AudioFormat?
    if let format { former = try set(format, of: source, bus, from) }
    do throws(EngineError) {
      try await link(source, bus, destination, input, to, "\(from) connected to \(to)", moves)
    } catch {
      // Resources that are allocated keep the count; then the output is rendered all the same.
      if let former { try? source.outputBusses[bus].setFormat(former) }
      throw error
    }
  }

  /// Connects checked busses, by an edit that may be refused.
  private func link(
    _ source: AudioUnit, _ bus: Int, _ destination: AudioUnit, _ input: Int?, _ to: String,
    _ text: String, _ moves: Bool
  ) async throws(EngineError) {
    let (source, open) = (ObjectIdentifier(source), destination.inputBusses)
    let destination = ObjectIdentifier(destination)
    try await edit(text) { (graph) throws(EngineError) in
      try graph.checkAttached([source, destination])
      try graph.checkCircle(source, destination)
      let output = EngineGraph.End.bus(source, bus)
      var index = input ?? 0
      if open.isOpen, input == nil {
        let known = graph.links.filter { $0.isAudio && $0.to.unit == destination }
        let taken = Set(known.map(\.to))
        let count = open.maximumBusCount
        if let own = (0..<count).first(where: { bus in
          known.contains { $0.from == output && $0.to == .bus(destination, bus) }
        }) {
          index = own
        } else if let free = (0..<count).first(where: { !taken.contains(.bus(destination, $0)) }) {
          index = free
        } else {
          throw .noFreeInput(id: to, count: count)
        }
      }
      let end = EngineGraph.End.bus(destination, index)
      if moves { graph.disconnectOutput(output, except: end) }
      graph.disconnect { $0.to == end && $0.from != output }
      graph.connect(output, end)
    }
  }

  /// Disconnects the inputs of a node from other nodes of the engine.
  ///
  /// - Parameter input: from 0 on; nil for all inputs.
  /// - Throws: `notAttached`, `removed`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectNodeInput(_:bus:)`.
  /// - Thread: [control]
  public func disconnectInput(
    of unit: AudioUnit, input: Int? = nil
  ) async throws(EngineError) {
    let id = try id(of: unit)
    let key = ObjectIdentifier(unit)
    try await disconnect("inputs of \(id) disconnected", unit, id, isInput: true) {
      guard $0.from.unit != nil, case .bus(key, let bus) = $0.to else { return false }
      return bus == input ?? bus
    }
  }

  /// Disconnects the outputs of a node from other nodes of the engine.
  ///
  /// - Parameter bus: from 0 on; nil for all outputs.
  /// - Throws: `notAttached`, `removed`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectNodeOutput(_:bus:)`.
  /// - Thread: [control]
  public func disconnectOutput(
    of unit: AudioUnit, bus: Int? = nil
  ) async throws(EngineError) {
    let id = try id(of: unit)
    let key = ObjectIdentifier(unit)
    try await disconnect("\(id) disconnected", unit, id, isInput: false) {
      guard $0.to.unit != nil, case .bus(key, let index) = $0.from else { return false }
      return index == bus ?? index
    }
  }

  /// Removes the connections for which `isMeant` is true; there has to be at least one.
  func disconnect(
    _ text: String, _ unit: AudioUnit, _ id: String, isInput: Bool,
    _ isMeant: @escaping @Sendable (EngineGraph.Link) -> Bool
  ) async throws(EngineError) {
    let key = ObjectIdentifier(unit)
    try await edit(text) { (graph) throws(EngineError) in
      try graph.checkAttached([key])
      guard graph.links.contains(where: isMeant) else {
        throw .notConnected(id: id, isInput: isInput)
      }
      graph.disconnect(where: isMeant)
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

  /// Sets the channel count of an output.
  ///
  /// - Returns: its former format; nil if it had that count.
  private func set(
    _ format: AudioFormat, of unit: AudioUnit, _ bus: Int, _ id: String
  ) throws(EngineError) -> AudioFormat? {
    if let rate = sampleRate, format.sampleRate != rate {
      throw .format(
        id: id,
        reason: "its sample rate is \(format.sampleRate) Hz; accepted: the engine's, \(rate) Hz")
    }
    let bus = unit.outputBusses[bus]
    let former = bus.format
    guard former.channelCount != format.channelCount else { return nil }
    if unit.renderResourcesAllocated {
      throw .format(id: id, reason: "it is being rendered; disconnect it first")
    }
    do {
      try bus.setFormat(
        AudioFormat(sampleRate: bus.format.sampleRate, channelCount: format.channelCount))
    } catch { throw .format(id: id, reason: "\(error)") }
    return former
  }
}
