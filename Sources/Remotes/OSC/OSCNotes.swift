// Notes that connections hold.

import OSC
import SessionModel

/// The notes that each TCP connection has begun and not ended, so that they end with it. Over UDP
/// nobody knows when a sender has gone.
struct OSCNotes {
  /// The maximum number of held notes of a connection.
  static let maximumNotes = 1024

  private struct Held {
    /// With velocity 0.
    var notes: Set<PlayedNote> = []
    /// The latest time of a note.
    var time = OSCTimeTag.immediate
  }

  private var connections: [OSCPeer: Held] = [:]

  /// Whether a connection may send a note: false for a begin if it holds the maximum number.
  func mayTake(_ note: PlayedNote, of peer: OSCPeer) -> Bool {
    note.velocity == 0 || (connections[peer]?.notes.count ?? 0) < Self.maximumNotes
  }

  /// Records the begin or the end of a note that will be played at `time`.
  mutating func take(_ note: PlayedNote, of peer: OSCPeer, at time: OSCTimeTag) {
    guard peer.connection != nil else { return }
    var held = connections[peer] ?? Held()
    if note.velocity == 0 {
      held.notes.remove(note.released)
    } else {
      held.notes.insert(note.released)
    }
    if held.time < time { held.time = time }
    connections[peer] = held
  }

  /// Removes and returns the ends of the notes of a connection that has gone, and the time from
  /// which none of them can begin.
  mutating func remove(_ peer: OSCPeer) -> (ends: [PlayedNote], time: OSCTimeTag) {
    let held = connections.removeValue(forKey: peer) ?? Held()
    return (Array(held.notes), held.time)
  }
}
