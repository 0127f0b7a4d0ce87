// Keys and pedals that a client holds.

import SessionModel
import Synchronization

/// The keys and pedals that a client of a session has pressed and not released, so that they are
/// released when its connection ends.
package final class HeldMIDI: Sendable {
  /// The maximum number of held keys and pedals.
  package static let maximumCount = 1024

  /// A message that releases a key or a pedal of a unit.
  fileprivate struct Release: Hashable {
    let unit: String
    let bytes: [UInt8]
  }

  fileprivate struct State {
    /// Number of presses of each that were not released.
    var counts: [Release: Int] = [:]
    /// The latest frame of a message; none of them takes effect after it.
    var frame: Int64?
    var hasGone = false
  }

  private let state = Mutex(State())
  private let send: @Sendable (SessionCommand) -> Void

  /// - Parameter send: executes a command for the client after it has gone.
  package init(send: @escaping @Sendable (SessionCommand) -> Void) { self.send = send }

  /// Whether one more can be held.
  package var hasRoom: Bool { state.withLock { $0.counts.count < Self.maximumCount } }

  /// Records a message that was played.
  /// - Thread: [any]
  func take(_ bytes: [UInt8], at unit: String, frame: Int64?) {
    let hasGone = state.withLock { state in
      if let frame { state.frame = max(frame, state.frame ?? frame) }
      state.take(bytes, at: unit)
      return state.hasGone
    }
    // The client went before its message was played.
    if hasGone { end() }
  }

  /// Releases everything, because the client has gone.
  /// - Thread: [any]
  package func end() {
    let (counts, frame) = state.withLock { state in
      defer { state.counts = [:] }
      state.hasGone = true
      return (state.counts, state.frame)
    }
    for (release, count) in counts {
      for _ in 0..<count {
        send(.midi(unit: release.unit, bytes: release.bytes.map(Int.init), frame: frame))
      }
    }
  }
}

extension HeldMIDI.State {
  /// Hold, sostenuto, soft and second hold pedal.
  private static let pedals: Set<UInt8> = [64, 66, 67, 69]

  fileprivate mutating func take(_ bytes: [UInt8], at unit: String) {
    guard bytes.count == 3 else { return }
    let (channel, number, value) = (bytes[0] & 0x0F, bytes[1], bytes[2])
    let key = HeldMIDI.Release(unit: unit, bytes: [0x80 | channel, number, 64])
    let pedal = HeldMIDI.Release(unit: unit, bytes: [0xB0 | channel, number, 0])
    switch bytes[0] & 0xF0 {
    case 0x90 where value > 0: counts[key, default: 0] += 1
    case 0x80, 0x90:
      let count = counts[key] ?? 0
      counts[key] = count > 1 ? count - 1 : nil
    case 0xB0 where Self.pedals.contains(number): counts[pedal] = value >= 64 ? 1 : nil
    // Reset All Controllers.
    case 0xB0 where number == 121: remove(0xB0 | channel, of: unit)
    // All Sound Off, All Notes Off and the mode messages that contain it.
    case 0xB0 where number == 120 || number > 122: remove(0x80 | channel, of: unit)
    default: break
    }
  }

  private mutating func remove(_ status: UInt8, of unit: String) {
    counts = counts.filter { $0.key.unit != unit || $0.key.bytes[0] != status }
  }
}
