// Why something cannot be scheduled.

public import MediaFiles
import UnitModel

/// Why something cannot be scheduled.
public enum PlaybackError: Error, Equatable, CustomStringConvertible {
  case clip(AudioClipError)
  /// It has neither one channel nor as many as the player.
  case channels(name: String, Int, player: Int)
  /// More than a bus takes.
  case tooManyChannels(name: String, Int)
  /// A part of a file that is not there.
  case segment(name: String, startingFrame: Int)
  /// A player whose resources are allocated keeps its content.
  case isPlaying

  public var description: String {
    switch self {
    case .clip(let error): error.description
    case .channels(let name, let count, let player):
      "\(name) has \(count) channels, and the player \(player): it plays 1"
        + (player == 1 ? "" : " or \(player)")
    case .tooManyChannels(let name, let count):
      "\(name) has \(count) channels; a player has at most \(AudioFormat.channelCounts.upperBound)"
    case .segment(let name, let frame): "\(name) has nothing from frame \(frame) on"
    case .isPlaying: "the player is in use: give it its content before"
    }
  }
}
