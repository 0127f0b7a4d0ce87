// Files that a session plays once.

public import PlayerUnit
import Session
import UnitModel

/// A player in a session's graph, with its file.
public struct PlayedFile {
  public let player: PlayerUnit
  /// The unit through which it is heard.
  let unit: AudioUnit
  /// Seconds of tail after the file's end; nil for the unit's tail time, at most 5 s.
  let tailSeconds: Double?

  /// Warnings about the file's content, a line each.
  ///
  /// - Thread: [control]
  public var warnings: [String] {
    guard let player = player as? MIDIPlayerUnit else { return [] }
    let remarks = player.score.remarks.map { "\(player.file): \($0)" }
    return player.score.hasNotes ? remarks : remarks + ["\(player.file) has no notes"]
  }

  /// Differences from the file in playback, a line each.
  ///
  /// - Thread: [control]
  public var losses: [String] {
    let counts = [
      ("played in a later cycle, for want of room", player.lateMessages),
      ("left out, for they are too long", player.lostMessages),
    ]
    return counts.filter { $1 > 0 }.map { "\(player.file): messages \($0): \($1)" }
  }

  /// Whether the file and its tail have ended.
  ///
  /// - Thread: [control]
  public var isDone: Bool {
    let position = player.positionSeconds
    guard position >= player.durationSeconds else { return false }
    let tail = tailSeconds ?? min(unit.tailTime, PlayOptions.longestRinging)
    return position >= player.durationSeconds + tail
  }

  /// Releases the file's held notes and fades it out, to end playback early.
  ///
  /// - Thread: [control]
  public func leave() async {
    player.end()
    // Without a server there is no answer, so this waits at most 0.5 s.
    for _ in 0..<50 where !player.hasEnded { try? await Task.sleep(for: .milliseconds(10)) }
    try? await Task.sleep(for: .milliseconds(150))
  }
}

extension JackSession {
  /// Starts playing a file once its connections are in use.
  ///
  /// - Thread: [control]
  public func play(_ file: PlayedFile) {
    // The server uses a new connection from the next cycle or the one after it.
    let cycles = connection.map { 3 * Double($0.client.period) / Double($0.client.sampleRate) }
    file.player.play(afterSeconds: max(0.1, cycles ?? 0))
  }
}
