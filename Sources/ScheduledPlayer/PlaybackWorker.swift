// The thread that delivers the reports of players.

import Foundation
import Synchronization

/// Serves all players with scheduled sounds.
final class PlaybackWorker: Sendable {
  static let shared = PlaybackWorker()

  private struct Attended: Sendable {
    var players: [ObjectIdentifier: WeakPlayer] = [:]
    var hasThread = false
  }

  private struct WeakPlayer: Sendable {
    weak var player: ScheduledPlayerUnit?
  }

  private let attended = Mutex(Attended())

  /// Delivers a player's reports until nothing is scheduled any more.
  ///
  /// - Thread: [control]
  func attend(to player: ScheduledPlayerUnit) {
    let isFirst = attended.withLock { attended in
      attended.players[ObjectIdentifier(player)] = WeakPlayer(player: player)
      defer { attended.hasThread = true }
      return !attended.hasThread
    }
    if !isFirst { return }
    let thread = Thread { [self] in while work() {} }
    thread.name = "players"
    thread.start()
  }

  /// - Returns: whether players remain; if not, the thread ends.
  private func work() -> Bool {
    for id in attended.withLock({ Array($0.players.keys) }) {
      // Removed before `deliver`, so that a player that schedules meanwhile is attended again.
      // Another player may have the identifier by now.
      guard let entry = attended.withLock({ $0.players.removeValue(forKey: id) }),
        let player = entry.player, player.deliver()
      else { continue }
      attended.withLock { $0.players[id] = $0.players[id] ?? entry }
    }
    let goesOn = attended.withLock { attended in
      attended.hasThread = !attended.players.isEmpty
      return attended.hasThread
    }
    // Short enough to schedule the next sound in time, long enough to cost nothing.
    if goesOn { usleep(5000) }
    return goesOn
  }
}
