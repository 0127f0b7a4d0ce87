// A file that a session plays once.

import Foundation
public import PlayerUnit
import Session
import UnitModel

/// A player in a session's graph, from its beginning to its end.
public struct PlayedFile {
  public let player: PlayerUnit
  /// The unit that makes it audible.
  let unit: AudioUnit
  /// How long it goes on behind the file's end, in seconds; nil as long as the unit rings.
  let tailSeconds: Double?

  /// What is worth telling of the file beforehand, a line each.
  ///
  /// - Thread: [control]
  public var warnings: [String] {
    guard let player = player as? MIDIPlayerUnit else { return [] }
    let remarks = player.score.remarks.map { "\(player.file): \($0)" }
    return player.score.hasNotes ? remarks : remarks + ["\(player.file) has no notes"]
  }

  /// What went otherwise than the file says, a line each.
  ///
  /// - Thread: [control]
  public var losses: [String] {
    let counts = [
      ("played in a later cycle, for want of room", player.lateMessages),
      ("left out, for they are too long", player.lostMessages),
    ]
    return counts.filter { $1 > 0 }.map { "\(player.file): messages \($0): \($1)" }
  }

  /// Whether the file has ended and what it began has rung out.
  ///
  /// - Thread: [control]
  public var isDone: Bool {
    let position = player.positionSeconds
    guard position >= player.durationSeconds else { return false }
    let tail = tailSeconds ?? min(unit.tailTime, PlayOptions.longestRinging)
    return position >= player.durationSeconds + tail
  }

  /// Ends what the file has begun, where it is to be left early, and lets it fade.
  ///
  /// - Thread: [control]
  public func leave() async {
    player.end()
    // Nothing answers where no server is.
    for _ in 0..<50 where !player.hasEnded { try? await Task.sleep(for: .milliseconds(10)) }
    try? await Task.sleep(for: .milliseconds(150))
  }
}

extension JackSession {
  /// Begins to play a file, once the connections that were made are in use.
  ///
  /// - Thread: [control]
  public func play(_ file: PlayedFile) {
    // The server takes a new connection into use with the next cycle or the one after it.
    let cycles = connection.map { 3 * Double($0.client.period) / Double($0.client.sampleRate) }
    file.player.play(afterSeconds: max(0.1, cycles ?? 0))
  }
}
