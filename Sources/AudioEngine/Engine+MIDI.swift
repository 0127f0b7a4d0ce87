// MIDI between an engine's nodes.

public import UnitModel

extension Engine {
  /// Has a unit hear the MIDI that another one sends. A unit may hear several, and several one.
  ///
  /// - Throws: `notAttached`, `noMIDI`, `refused`; nothing has changed then.
  ///
  /// AUv3: `connectMIDI(_:to:format:eventListBlock:)`.
  public func connectMIDI(
    _ source: AudioUnit, to destination: AudioUnit
  ) async throws(EngineError) {
    let (from, to) = (try id(of: source), try id(of: destination))
    if source.midiOutputNames.isEmpty { throw .noMIDI(id: from, isInput: false) }
    if destination.virtualMIDICableCount == 0 { throw .noMIDI(id: to, isInput: true) }
    try await connect(EngineGraph.MIDIConnection(from: from, to: to), "\(from) plays \(to)")
  }

  /// Has a unit hear all MIDI devices of the machine, those too that come later. Without a clock
  /// nothing comes from there.
  ///
  /// - Throws: `notAttached`, `noMIDI`, `refused`; nothing has changed then.
  public func connectMIDIDevices(to destination: AudioUnit) async throws(EngineError) {
    let to = try id(of: destination)
    if destination.virtualMIDICableCount == 0 { throw .noMIDI(id: to, isInput: true) }
    try await connect(
      EngineGraph.MIDIConnection(from: nil, to: to), "MIDI devices play \(to)")
  }

  /// Ends all MIDI that comes to a unit from others. Notes that it holds end.
  ///
  /// - Throws: `notAttached`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectMIDIInput(_:)`.
  public func disconnectMIDIInput(of unit: AudioUnit) async throws(EngineError) {
    let id = try id(of: unit)
    try await disconnect(id, isInput: true) { $0.to == id }
  }

  /// Ends all MIDI that goes from a unit to others.
  ///
  /// - Throws: `notAttached`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectMIDIOutput(_:)`.
  public func disconnectMIDIOutput(of unit: AudioUnit) async throws(EngineError) {
    let id = try id(of: unit)
    try await disconnect(id, isInput: false) { $0.from == id }
  }

  private func connect(
    _ connection: EngineGraph.MIDIConnection, _ text: String
  ) async throws(EngineError) {
    try await edit(text) { (graph) throws(EngineError) in
      if let from = connection.from { try graph.checkCircle(from, connection.to) }
      if !graph.midi.contains(connection) { graph.midi.append(connection) }
    }
  }

  private func disconnect(
    _ id: String, isInput: Bool,
    _ isMeant: @escaping @Sendable (EngineGraph.MIDIConnection) -> Bool
  ) async throws(EngineError) {
    try await edit("\(id): MIDI disconnected") { (graph) throws(EngineError) in
      guard graph.midi.contains(where: isMeant) else {
        throw .notConnected(id: id, isInput: isInput)
      }
      graph.midi.removeAll(where: isMeant)
    }
  }
}
