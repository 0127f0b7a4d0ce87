// MIDI that a client or a remote control plays.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Plays or ends a note at a unit, as its MIDI input does.
  ///
  /// - Parameter frame: of the session; nil for the next cycle's first.
  /// - Thread: [control]
  package func play(_ note: PlayedNote, at frame: Int64?) throws(SessionCommandError) {
    try play(note.bytes, at: note.unit, frame: frame)
  }

  /// Plays a channel message at a unit. A frame that has passed is the next cycle's first.
  func play(_ bytes: [Int], at id: String, frame: Int64?) throws(SessionCommandError) {
    let message = bytes.compactMap { UInt8(exactly: $0) }
    let count = message.first.map { (0xC0..<0xE0).contains($0) ? 2 : 3 }
    guard message.count == bytes.count, message.count == count,
      (0x80..<0xF0).contains(message[0]), message.dropFirst().allSatisfy({ $0 < 0x80 })
    else {
      throw SessionCommandError(
        "\(bytes.prefix(4)) is no MIDI message",
        accepted: "a channel message with its status: [144, 60, 100]")
    }
    if let frame {
      guard let now = clock() else { throw Self.noFrames }
      // Messages for frames that never come would fill the unit's queue.
      try EditFrame.checkAhead(frame, now: now.frame, now.sampleRate)
    }
    try play(message, at: id, frame: frame)
  }

  private func play(
    _ message: [UInt8], at id: String, frame: Int64?
  ) throws(SessionCommandError) {
    let unit = try unit(id)
    guard unit.virtualMIDICableCount > 0 else {
      throw SessionCommandError(
        "\(quoted(id)) takes no MIDI",
        accepted: units.filter { $0.unit.virtualMIDICableCount > 0 }.map(\.id))
    }
    do throws(ScheduleError) {
      pendingReleases.send(to: id, unit)
      if pendingReleases.holdsBack(message, at: id) { throw .queueFull(acceptedBytes: 0) }
      try unit.scheduleMIDI(message, at: frame.map { .frame($0) } ?? .immediate)
    } catch {
      guard case .queueFull = error, HoldChange(message).isRelease else {
        throw SessionCommandError(error.description)
      }
      pendingReleases.add(message, to: id, at: frame)
    }
  }
}
