// Notes that connections hold.

import OSC
import SessionModel

/// The notes that each TCP connection has begun and not ended, so that they end with it. Over UDP
/// nobody knows when a sender has gone.
struct OSCNotes {
  private var connections: [OSCPeer: HeldKeys<OSCTimeTag>] = [:]

  /// Whether a connection may send a note: false for a begin if it holds the maximum number.
  func mayTake(_ note: PlayedNote, of peer: OSCPeer) -> Bool {
    connections[peer]?.mayTake(note.bytes) ?? true
  }

  /// Records the begin or the end of a note that will be played at `time`.
  mutating func take(_ note: PlayedNote, of peer: OSCPeer, at time: OSCTimeTag) {
    guard peer.connection != nil else { return }
    connections[peer, default: HeldKeys()].take(note.bytes, at: note.unit, time: time)
  }

  /// Removes and returns the ends of the notes of a connection that has gone, and the time from
  /// which none of them can begin.
  mutating func remove(_ peer: OSCPeer) -> (ends: [PlayedNote], time: OSCTimeTag) {
    var held = connections.removeValue(forKey: peer) ?? HeldKeys()
    let ends = held.removeAll().map {
      PlayedNote(unit: $0.unit, channel: $0.bytes[0] & 0x0F, key: $0.bytes[1], velocity: 0)
    }
    return (ends, held.latest ?? .immediate)
  }
}
