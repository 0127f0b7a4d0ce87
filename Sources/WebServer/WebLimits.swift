// Limits for browsers.

/// Limits of a server for browsers. Times are counted by the clock of the event loop.
public struct WebLimits: Sendable {
  /// The most connections at a time; further ones are closed at once.
  public var connections = 64
  /// The most WebSockets at a time. Each has up to three connections to each session that it shows,
  /// of the 64 that a session serves.
  public var browsers = 16
  /// The most sessions that a WebSocket shows at a time.
  public var sessionsPerBrowser = 4
  /// The most views of units that a WebSocket shows at a time.
  public var viewsPerBrowser = 8
  /// The time for the whole head of a request.
  public var headMilliseconds: Int64 = 10_000
  /// The time that a client has to take the last bytes before its connection is closed.
  public var lingerMilliseconds: Int64 = 2_000
  /// The time between two pings.
  public var pingMilliseconds: Int64 = 20_000
  /// The silence after which a WebSocket that was pinged is closed.
  public var silenceMilliseconds: Int64 = 60_000
  /// The shortest time between two ticks.
  public var tickMilliseconds: Int64 = 33
  /// The most messages and control frames of a WebSocket in a window.
  public var messages = 300
  /// The length of that window.
  public var messageWindowMilliseconds: Int64 = 1_000
  /// The longest message in bytes.
  public var messageBytes = 65_536
  /// The most unanswered requests of a WebSocket.
  public var requests = 64

  public init() {}

  /// The most ticks that a page has not acknowledged.
  static let openTicks = 2
  /// The most notices with MIDI events of a session that wait for a page.
  static let midiNotices = 8
  /// The most bytes of a request's head, its first line included.
  static let headBytes = 16_384
  /// The most bytes of a header field.
  static let fieldBytes = 8_192
  /// The most header fields.
  static let fields = 64
}
