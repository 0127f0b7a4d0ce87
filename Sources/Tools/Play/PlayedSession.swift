// Sessions without a configuration file, for playing.

import Configuration
import FoundationEssentials
import Graph
import PlayerUnit
import SessionModel
import UnitModel

/// A session made for some files, and the file that it plays, if any.
public struct PlayedSession {
  public let plan: SessionPlan
  public let file: PlayedFile?

  /// The id of the file's player.
  public static let playerID = "player"
}

/// The reason why a file cannot be played.
public enum PlayError: Error, CustomStringConvertible {
  case configuration(ConfigurationError)
  case player(PlayerError)
  case graph(GraphError)

  public var description: String {
    switch self {
    case .configuration(let error): error.description
    case .player(let error): error.description
    case .graph(let error): error.description
    }
  }
}

extension SessionBuilder {
  /// Builds a session: a SoundFont for all MIDI devices and for a MIDI file, or an audio file
  /// through an effect. It is connected to the machine's outputs.
  ///
  /// The file is read whole, and played by `JackSession.play`.
  ///
  /// - Thread: [control]
  public func build(_ options: PlayOptions) async throws(PlayError) -> PlayedSession {
    let configuration = try wrap(PlayError.configuration) {
      () throws(ConfigurationError) -> SessionConfiguration in
      do throws(ConfigurationProblem) {
        if let unit = options.unit { return try effect(unit, options) }
        return try instrument(options)
      } catch { throw ConfigurationError(error) }
    }
    let player = try wrap(PlayError.player) { () throws(PlayerError) in
      try makePlayer(options)
    }
    let plan: SessionPlan
    do throws(ConfigurationError) { plan = try await build(configuration, file: nil) } catch {
      throw .configuration(error)
    }
    guard let player else { return PlayedSession(plan: plan, file: nil) }
    try wrap(PlayError.graph) { () throws(GraphError) -> Void in
      // After the configuration's units; the player is not one of them.
      let index = try plan.graph.add(player, id: PlayedSession.playerID)
      if player is MIDIPlayerUnit {
        try plan.graph.connectMIDI(from: index, to: 0)
      } else {
        try plan.graph.connect(GraphBus(unit: index, bus: 0), to: GraphBus(unit: 0, bus: 0))
      }
    }
    return PlayedSession(
      plan: plan,
      file: PlayedFile(
        player: player, unit: plan.graph.nodes[0].unit, tailSeconds: options.tailSeconds))
  }

  private func makePlayer(_ options: PlayOptions) throws(PlayerError) -> PlayerUnit? {
    if options.unit != nil {
      return try AudioPlayerUnit(contentsOf: URL(fileURLWithPath: options.file))
    }
    guard let song = options.song else { return nil }
    return try MIDIPlayerUnit(contentsOf: URL(fileURLWithPath: song))
  }
}
