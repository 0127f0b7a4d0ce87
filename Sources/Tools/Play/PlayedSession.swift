// Sessions without a configuration file, for playing.

import Configuration
import Graph
public import MediaFiles
import Players
import SessionModel
import UnitModel

/// A session made for some files, and the files that it plays, if any.
public struct PlayedSession {
  public let plan: SessionPlan
  public let list: Playlist?
  /// Remarks on the files, a line each.
  public let warnings: [String]

  /// The id of the player of audio files.
  public static let playerID = "player"
  /// The id of the player of MIDI files.
  static let songPlayerID = "song"
}

/// The reason why a file cannot be played.
public enum PlayError: Error, CustomStringConvertible {
  case configuration(ConfigurationError)
  case midi(MIDIFileError)
  case audio(AudioFileError)
  case clip(AudioClipError)
  case graph(GraphError)
  case failed(String)

  public var description: String {
    switch self {
    case .configuration(let error): error.description
    case .midi(let error): error.description
    case .audio(let error): error.description
    case .clip(let error): error.description
    case .graph(let error): error.description
    case .failed(let reason): reason
    }
  }
}

extension SessionBuilder {
  /// Builds a session: a SoundFont for all MIDI devices and for MIDI files, a player of audio
  /// files, and an effect for both, connected to the machine's outputs.
  ///
  /// - Thread: [control]
  public func build(_ options: PlayOptions) async throws(PlayError) -> PlayedSession {
    let material = try PlayMaterial(options)
    let plan: SessionPlan
    do throws(ConfigurationError) {
      plan = try await build(try configuration(material, options), file: nil)
    } catch { throw .configuration(error) }
    guard !material.items.isEmpty else {
      return PlayedSession(plan: plan, list: nil, warnings: material.warnings)
    }
    let list = try playlist(material.items, options, in: plan.graph)
    return PlayedSession(
      plan: plan, list: list, warnings: material.warnings + material.items.flatMap(\.warnings))
  }

  private func configuration(
    _ material: PlayMaterial, _ options: PlayOptions
  ) throws(ConfigurationError) -> SessionConfiguration {
    do throws(ConfigurationProblem) {
      return try PlayConfiguration(material, options, self).made
    } catch { throw ConfigurationError(error) }
  }

  private func playlist(
    _ items: [PlayItem], _ options: PlayOptions, in graph: Graph
  ) throws(PlayError) -> Playlist {
    var songs: MIDIPlayerUnit?
    if items.contains(where: \.isSong) {
      let player: MIDIPlayerUnit
      do { player = try MIDIPlayerUnit() } catch { throw .failed("\(error)") }
      try wrap(PlayError.graph) { () throws(GraphError) -> Void in
        // After the configuration's units; the player is not one of them.
        let index = try graph.add(player, id: PlayedSession.songPlayerID)
        // The sampler is the first unit.
        try graph.connectMIDI(from: index, to: 0)
      }
      songs = player
    }
    let units = graph.nodes.map(\.unit).filter { $0 !== songs }
    let audio = units.lazy.compactMap { $0 as? ScheduledPlayerUnit }.first
    let effect = options.unit == nil ? [] : units.suffix(1)
    return Playlist(
      items, songs: songs, heardBy: units.prefix(1) + effect, audio: audio,
      heardBy: [audio].compactMap(\.self) + effect, options)
  }
}
