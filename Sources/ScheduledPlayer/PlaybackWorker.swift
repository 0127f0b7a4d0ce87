// The thread on which players tell what has become of what was scheduled.

import Foundation
import Synchronization

/// Looks after all players that have something scheduled.
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

  /// Has a player tell what it hears from its render side, until nothing is scheduled any more.
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

  /// - Returns: whether somebody is left to look after; if not, the thread ends.
  private func work() -> Bool {
    for id in attended.withLock({ Array($0.players.keys) }) {
      // One that schedules meanwhile comes back by itself, but only once it is away. Who has the
      // number now may be another than a moment ago.
      guard let entry = attended.withLock({ $0.players.removeValue(forKey: id) }),
        let player = entry.player, player.deliver()
      else { continue }
      attended.withLock { $0.players[id] = $0.players[id] ?? entry }
    }
    let goesOn = attended.withLock { attended in
      attended.hasThread = !attended.players.isEmpty
      return attended.hasThread
    }
    // Often enough that the next sound can be scheduled in time, seldom enough to cost nothing.
    if goesOn { usleep(5000) }
    return goesOn
  }
}
