// Journal entries as reported to clients.

public struct JournalReading: Sendable, Hashable, Codable {
  public struct Change: Sendable, Hashable, Codable {
    /// The change's number, counted from 0 since the session began.
    public let number: Int
    /// The frame on which it took effect, or began to; nil if nothing was rendering.
    public let frame: Int64?
    /// The frame on which a gesture on a controller ended; nil for every other change.
    public let lastFrame: Int64?
    /// The number of servers the session had before the one that counted the frame.
    public let server: Int
    /// The time in seconds since 1970.
    public let time: Double
    public let source: ChangeSource
    /// The name of the client that made it; nil if the client has sent none.
    public let client: String?
    /// The parameter or unit that was changed: `piano/gain`, or a unit.
    public let path: String
    public let text: String
    /// The arguments of `auricle ctl` that make it again, as a shell reads them; nil if it is
    /// undone, if it has none, or if an earlier change of the same command has them.
    public let command: String?

    package init(
      number: Int, frame: Int64?, lastFrame: Int64?, server: Int, time: Double,
      source: ChangeSource, client: String?, path: String, text: String,
      command: String? = nil
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
      self.command = command
    }
  }

  /// The changes, the oldest first.
  public let changes: [Change]
  /// The number of older changes that were dropped from the journal.
  public let forgotten: Int
  /// The number of matching changes beyond those in `changes`.
  public let unreported: Int

  /// The keys in JSON.
  private enum CodingKeys: String, CodingKey {
    case changes, forgotten
    case unreported = "untold"
  }

  package init(changes: [Change], forgotten: Int, unreported: Int) {
    self.changes = changes
    self.forgotten = forgotten
    self.unreported = unreported
  }
}
