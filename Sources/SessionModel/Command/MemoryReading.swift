// Memory use of a session.

/// Memory that a session holds in addition to its render memory, in bytes.
public struct MemoryReading: Sendable, Hashable, Codable {
  /// The undo and redo steps, with the settings of units that they restore.
  public var undo: Int
  /// Removed units that are kept in memory, so that undo restores them at once.
  public var removedUnits: Int
  /// SoundFonts of the session's units, estimated; a shared one counts once.
  public var soundFonts: Int
  /// Sounds in memory, and data in transit from or to a disk.
  public var sounds: Int
  /// Measured impulse responses; a shared one counts once.
  public var responses: Int

  package init(undo: Int, removedUnits: Int, soundFonts: Int, sounds: Int, responses: Int) {
    (self.undo, self.removedUnits) = (undo, removedUnits)
    (self.soundFonts, self.sounds, self.responses) = (soundFonts, sounds, responses)
  }
}
