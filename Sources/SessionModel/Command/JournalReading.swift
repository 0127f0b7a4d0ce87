// What a session tells of its journal.

public struct JournalReading: Sendable, Hashable, Codable {
  public struct Change: Sendable, Hashable, Codable {
    /// Counted from 0 since the session began.
    public let number: Int
    /// The one on which it took effect, or began to; nil where nothing rendered.
    public let frame: Int64?
    /// The one on which a gesture on a controller ended; nil for everything else.
    public let lastFrame: Int64?
    /// How many servers the session had before the one that counted the frame.
    public let server: Int
    /// In seconds since 1970.
    public let time: Double
    public let source: ChangeSource
    /// The name of the client that made it; nil for one that has told none.
    public let client: String?
    /// What it is about: `piano/gain`, or a unit.
    public let path: String
    public let text: String

    package init(
      number: Int, frame: Int64?, lastFrame: Int64?, server: Int, time: Double,
      source: ChangeSource, client: String?, path: String, text: String
    ) {
      self.number = number
      self.frame = frame
      self.lastFrame = lastFrame
      self.server = server
      self.time = time
      self.source = source
      self.client = client
      self.path = path
      self.text = text
    }
  }

  /// The oldest first.
  public let changes: [Change]
  /// How many older ones there is no room for.
  public let forgotten: Int
  /// How many more could be told.
  public let untold: Int

  package init(changes: [Change], forgotten: Int, untold: Int) {
    self.changes = changes
    self.forgotten = forgotten
    self.untold = untold
  }
}
