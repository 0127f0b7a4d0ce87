// MIDI between an engine's nodes.

import Configuration
import Session
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
    try await connect(.midi(ObjectIdentifier(source)), destination, "\(from) plays \(to)")
  }

  /// Has a unit hear all MIDI devices of the machine, those too that come later. Without a clock
  /// nothing comes from there.
  ///
  /// - Throws: `notAttached`, `noMIDI`, `refused`; nothing has changed then.
  public func connectMIDIDevices(to destination: AudioUnit) async throws(EngineError) {
    let to = try id(of: destination)
    if destination.virtualMIDICableCount == 0 { throw .noMIDI(id: to, isInput: true) }
    try await connect(
      .outside(PortPattern(PhysicalPorts.midi.text)), destination, "MIDI devices play \(to)")
  }

  /// Ends all MIDI that comes to a unit from others. Notes that it holds end.
  ///
  /// - Throws: `notAttached`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectMIDIInput(_:)`.
  public func disconnectMIDIInput(of unit: AudioUnit) async throws(EngineError) {
    let (id, key) = (try id(of: unit), ObjectIdentifier(unit))
    try await disconnect("\(id): MIDI disconnected", unit, id, isInput: true) {
      $0.to == .midi(key)
    }
  }

  /// Ends all MIDI that goes from a unit to others.
  ///
  /// - Throws: `notAttached`, `notConnected`, `refused`.
  ///
  /// AUv3: `disconnectMIDIOutput(_:)`.
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
