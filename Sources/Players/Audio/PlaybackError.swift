// The error of a sound that cannot be scheduled.

public import MediaFiles
import UnitModel

/// The reason a sound cannot be scheduled.
public enum PlaybackError: Error, Equatable, CustomStringConvertible {
  case clip(AudioClipError)
  /// Neither one channel nor the player's channel count.
  case channels(name: String, Int, player: Int)
  /// More channels than a bus takes.
  case tooManyChannels(name: String, Int)
  /// A segment without frames in the file.
  case segment(name: String, startingFrame: Int)
  /// The content cannot change while resources are allocated.
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
