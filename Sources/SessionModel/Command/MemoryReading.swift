// How much memory a session holds.

/// Memory that a session holds beside what it renders with, in bytes.
public struct MemoryReading: Sendable, Hashable, Codable {
  /// Of what can be taken back and made again, with the settings of units that come back by it.
  public var undo: Int
  /// Of units that were removed and are still there, so that they come back at once.
  public var removedUnits: Int
  /// Of the session's units: SoundFonts, estimated; what several have together counts once.
  public var soundFonts: Int
  /// Sounds in memory, and what waits on its way from a disk or to one.
  public var sounds: Int
  /// Measured impulse responses; what several have together counts once.
  public var responses: Int

  package init(undo: Int, removedUnits: Int, soundFonts: Int, sounds: Int, responses: Int) {
    (self.undo, self.removedUnits) = (undo, removedUnits)
    (self.soundFonts, self.sounds, self.responses) = (soundFonts, sounds, responses)
  }
}
