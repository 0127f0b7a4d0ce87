// Notes that a remote control plays.

/// The begin or the end of a note at a unit.
package struct PlayedNote: Sendable, Hashable {
  /// The unit's id.
  package let unit: String
  /// From 0.
  package let channel: UInt8
  package let key: UInt8
  /// 0 ends the note.
  package let velocity: UInt8

  package init(unit: String, channel: UInt8, key: UInt8, velocity: UInt8) {
    (self.unit, self.channel, self.key, self.velocity) = (unit, channel, key, velocity)
  }

  /// The end of the note.
  package var released: PlayedNote {
    PlayedNote(unit: unit, channel: channel, key: key, velocity: 0)
  }

  /// The MIDI message.
  package var bytes: [UInt8] {
    velocity == 0 ? [0x80 | channel, key, 64] : [0x90 | channel, key, velocity]
  }
}
