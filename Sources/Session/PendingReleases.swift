// Releases of keys and pedals that had no room.

import SessionModel
import Synchronization
import UnitModel

/// Releases of keys and pedals that found their unit's event queue full. They are sent once there
/// is room, so that no note is left.
final class PendingReleases: Sendable {
  private struct Release {
    let bytes: [UInt8]
    let frame: Int64?
  }

  /// Indexed by unit, then by status and number of the message, so their number is bounded.
  private let releases = Mutex<[String: [[UInt8]: Release]]>([:])

  func add(_ bytes: [UInt8], to id: String, at frame: Int64?) {
    let key = Array(bytes.prefix(2))
    releases.withLock { releases in
      let old = releases[id]?[key]?.frame
      let frame = frame.map { max($0, old ?? $0) } ?? old
      releases[id, default: [:]][key] = Release(bytes: bytes, frame: frame)
    }
  }

  /// Whether a message presses a key or a pedal whose release is still to be sent.
  func holdsBack(_ bytes: [UInt8], at id: String) -> Bool {
    switch HoldChange(bytes) {
    case .press(let release), .hold(let release):
      releases.withLock { $0[id]?[Array(release.prefix(2))] != nil }
    case .release, .releaseAll, .none: false
    }
  }

  /// Sends a unit its releases, as many as have room.
  func send(to id: String, _ unit: AudioUnit) {
    releases.withLock { releases in
      for (key, release) in releases[id] ?? [:] {
        do throws(ScheduleError) {
          try unit.scheduleMIDI(release.bytes, at: release.frame.map { .frame($0) } ?? .immediate)
        } catch {
          if case .queueFull = error { continue }
        }
        releases[id]?[key] = nil
      }
      if releases[id]?.isEmpty == true { releases[id] = nil }
    }
  }

  /// Sends each unit its releases. Units that have gone need none.
  func send(to units: [(id: String, unit: AudioUnit)]) {
    if releases.withLock({ $0.isEmpty }) { return }
    for (id, unit) in units { send(to: id, unit) }
    releases.withLock { releases in
      releases = releases.filter { id, _ in units.contains { $0.id == id } }
    }
  }

  func removeAll() { releases.withLock { $0 = [:] } }
}
