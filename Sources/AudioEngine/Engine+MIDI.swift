// MIDI between an engine's nodes.

import Configuration
import Session
public import UnitModel

extension Engine {
  /// Connects the MIDI output of a unit to another unit. Units can have several sources and
  /// destinations.
  ///
  /// - Throws: `notAttached`, `removed`, `noMIDI`, `refused`. The graph is then unchanged.
  ///
  /// AUv3: `connectMIDI(_:to:format:eventListBlock:)`.
  /// - Thread: [control]
  public func connectMIDI(
    _ source: AudioUnit, to destination: AudioUnit
  ) async throws(EngineError) {
    let (from, to) = (try id(of: source), try id(of: destination))
    if source.midiOutputNames.isEmpty { throw .noMIDI(id: from, isInput: false) }
    if destination.virtualMIDICableCount == 0 { throw .noMIDI(id: to, isInput: true) }
    try await connect(.midi(ObjectIdentifier(source)), destination, "\(from) plays \(to)")
  }

  /// Connects all MIDI devices of the machine to a unit, including those plugged in later. Without
  /// a clock there are no devices.
  ///
  /// - Throws: `notAttached`, `removed`, `noMIDI`, `refused`. The graph is then unchanged.
  /// - Thread: [control]
  public func connectMIDIDevices(to destination: AudioUnit) async throws(EngineError) {
    let to = try id(of: destination)
    if destination.virtualMIDICableCount == 0 { throw .noMIDI(id: to, isInput: true) }
    try await connect(
      .outside(PortPattern(PhysicalPorts.midi.text)), destination, "MIDI devices play \(to)")
  }

  /// Disconnects a unit from all its MIDI sources and releases its held notes.
  ///
  /// - Throws: `notAttached`, `removed`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectMIDIInput(_:)`.
  /// - Thread: [control]
  public func disconnectMIDIInput(of unit: AudioUnit) async throws(EngineError) {
    let (id, key) = (try id(of: unit), ObjectIdentifier(unit))
    try await disconnect("\(id): MIDI disconnected", unit, id, isInput: true) {
      $0.to == .midi(key)
    }
  }

  /// Disconnects a unit from all destinations of its MIDI.
  ///
  /// - Throws: `notAttached`, `removed`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectMIDIOutput(_:)`.
  /// - Thread: [control]
  public func disconnectMIDIOutput(of unit: AudioUnit) async throws(EngineError) {
    let (id, key) = (try id(of: unit), ObjectIdentifier(unit))
    try await disconnect("\(id): MIDI disconnected", unit, id, isInput: false) {
      $0.from == .midi(key)
    }
  }

  private func connect(
    _ source: EngineGraph.End, _ destination: AudioUnit, _ text: String
  ) async throws(EngineError) {
    let key = ObjectIdentifier(destination)
    try await edit(text) { (graph) throws(EngineError) in
      try graph.checkAttached([source.unit, key])
      if let from = source.unit { try graph.checkCircle(from, key) }
      graph.connect(source, .midi(key))
    }
  }
}
