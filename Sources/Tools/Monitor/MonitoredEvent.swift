// Monitored events as text and JSON, and their selection.

import Platform
import Realtime

/// A MIDI message with its frame and source, ready to print.
public struct MonitoredEvent: Sendable {
  /// The frame since the client's start.
  public let frame: Int64
  /// The frame in seconds.
  public let seconds: Double
  public let source: Source
  public let message: MonitoredMessage

  /// The source of a message.
  public enum Source: Sendable, Hashable {
    /// The PORT of the command line that it came from.
    case port(String)
    /// The unit of a session that received or sent it.
    case unit(String, isSent: Bool)

    /// The column of a line.
    public var text: String {
      switch self {
      case .port(let port): port
      case .unit(let unit, let isSent): "\(unit) \(isSent ? "sent" : "received")"
      }
    }
  }

  /// - Thread: [any]
  public init(frame: Int64, seconds: Double, from source: Source, _ message: MonitoredMessage) {
    (self.frame, self.seconds, self.source, self.message) = (frame, seconds, source, message)
  }

  /// Returns the line in aligned columns: seconds, frame, source, channel, message.
  /// - Parameter sourceWidth: the width of the column with the source; nil for no column.
  /// - Thread: [any]
  public func text(sourceWidth: Int?) -> String {
    var columns = [
      seconds.text(decimals: 3).aligned(right: 10), String(frame).aligned(right: 10),
      (message.channel.map { "channel \($0)" } ?? "").padded(to: 10),
    ]
    if let sourceWidth { columns.insert(source.text.padded(to: sourceWidth), at: 2) }
    return columns.joined(separator: "  ") + "  "
      + (message.detail.isEmpty ? message.name : "\(message.name) \(message.detail)")
  }
}

extension MonitoredEvent: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(frame, forKey: Key("frame"))
    try object.encode(seconds, forKey: Key("seconds"))
    switch source {
    case .port(let port): try object.encode(port, forKey: Key("port"))
    case .unit(let unit, let isSent):
      try object.encode(unit, forKey: Key("unit"))
      try object.encode(isSent, forKey: Key("isSent"))
    }
    try object.encodeIfPresent(message.channel, forKey: Key("channel"))
    try object.encode(message.kind.rawValue, forKey: Key("kind"))
    try object.encode(message.name, forKey: Key("message"))
    for (key, number) in message.numbers { try object.encode(number, forKey: Key(key)) }
    try object.encode(message.bytes, forKey: Key("bytes"))
  }
}

/// The selection of the events to show.
public struct MonitorFilter: Sendable {
  /// The kinds to show; empty for all of them.
  public var kinds: [MonitoredMessage.Kind]
  /// The channel to show, 1 to 16; nil for all events, also those without a channel.
  public var channel: Int?
  /// Whether clock and active sensing are shown.
  public var showsContinual: Bool

  /// - Thread: [any]
  public init(
    kinds: [MonitoredMessage.Kind] = [], channel: Int? = nil, showsContinual: Bool = false
  ) {
    (self.kinds, self.channel, self.showsContinual) = (kinds, channel, showsContinual)
  }

  /// Whether a message is shown.
  /// - Thread: [any]
  public func shows(_ message: MonitoredMessage) -> Bool {
    (kinds.isEmpty || kinds.contains(message.kind))
      && (channel == nil || channel == message.channel)
      && (showsContinual || !message.isContinual)
  }
}
