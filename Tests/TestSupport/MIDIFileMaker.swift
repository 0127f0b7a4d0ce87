// Writes Standard MIDI Files, including unusual ones, for tests that read them.
import Foundation

/// A Standard MIDI File of format 0 or 1, built from events at ticks.
///
/// `MIDIFileMaker.frameExact(sampleRate:)` makes a tick one frame long, so that events can be
/// placed on chosen frames.
///
/// - Thread: [any]
public struct MIDIFileMaker: Sendable {
  /// The content of an event.
  public enum Content: Sendable {
    /// A complete channel message, with its status byte.
    case message([UInt8])
    /// A complete SysEx message from 0xF0 to 0xF7.
    case systemExclusive([UInt8])
    /// A tempo in microseconds a quarter note.
    case tempo(UInt32)
    /// A meta event: type and content.
    case meta(UInt8, [UInt8])
  }

  /// 0: one track; 1: simultaneous tracks, the first one with the tempo.
  public var format: UInt16
  /// Ticks a quarter note, 1 to 32767.
  public var ticksPerQuarter: UInt16
  /// Whether repeated status bytes are left out, as most programs do.
  public var usesRunningStatus = false
  private var tracks: [[(tick: Int, content: Content)]] = [[]]

  /// Makes an empty file. Without a tempo event a quarter note takes 500,000 microseconds.
  public init(format: UInt16 = 1, ticksPerQuarter: UInt16 = 480) {
    self.format = format
    self.ticksPerQuarter = ticksPerQuarter
  }

  /// Returns an empty file in which a tick is a frame of `sampleRate`, thanks to its resolution and
  /// tempo.
  ///
  /// 48 kHz: 24,000 ticks a quarter note at 500,000 microseconds; 44.1 kHz: 22,050.
  public static func frameExact(sampleRate: Int) -> MIDIFileMaker {
    // The largest divisor of the rate that fits the header's 15 bits and lasts whole microseconds.
    var ticks = min(sampleRate, 32_767)
    while ticks > 1, sampleRate % ticks != 0 || (ticks * 1_000_000) % sampleRate != 0 {
      ticks -= 1
    }
    var file = MIDIFileMaker(format: 1, ticksPerQuarter: UInt16(ticks))
    file.add(.tempo(UInt32(ticks * 1_000_000 / sampleRate)), at: 0)
    return file
  }

  /// Adds an event; creates missing tracks. Events on one tick keep the order in which they were
  /// added.
  public mutating func add(_ content: Content, at tick: Int, track: Int = 0) {
    precondition(tick >= 0 && track >= 0 && (format == 1 || track == 0))
    while tracks.count <= track { tracks.append([]) }
    tracks[track].append((tick, content))
  }

  /// Adds a channel message.
  public mutating func add(_ message: [UInt8], at tick: Int, track: Int = 0) {
    add(.message(message), at: tick, track: track)
  }

  /// Adds a note: its note-on at `tick` and its note-off `length` ticks later.
  public mutating func addNote(
    _ key: UInt8, at tick: Int, length: Int, velocity: UInt8 = 127, channel: UInt8 = 0,
    track: Int = 0
  ) {
    add([0x90 | channel, key, velocity], at: tick, track: track)
    add([0x80 | channel, key, 64], at: tick + length, track: track)
  }

  /// The file's bytes. Every track ends at `endTick`, or at its last event if that is later.
  public func bytes(endTick: Int = 0) -> [UInt8] {
    var file = ByteWriter()
    file.text("MThd", count: 4)
    file.big(UInt32(6))
    file.big(format)
    file.big(UInt16(tracks.count))
    file.big(ticksPerQuarter)
    for track in tracks {
      let content = trackBytes(track, endTick: endTick)
      file.text("MTrk", count: 4)
      file.big(UInt32(content.count))
      file.append(content)
    }
    return file.bytes
  }

  private func trackBytes(_ events: [(tick: Int, content: Content)], endTick: Int) -> [UInt8] {
    let sorted = events.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }
    var bytes: [UInt8] = []
    var tick = 0
    var runningStatus: UInt8?
    for event in sorted.map(\.element) {
      bytes += Self.variableLength(event.tick - tick)
      tick = event.tick
      switch event.content {
      case .message(let message):
        let repeats = usesRunningStatus && message.first == runningStatus
        bytes += repeats ? Array(message.dropFirst()) : message
        runningStatus = message.first
      case .systemExclusive(let message):
        bytes += [0xF0] + Self.variableLength(message.count - 1) + message.dropFirst()
        runningStatus = nil
      case .tempo(let microseconds):
        let big = withUnsafeBytes(of: microseconds.bigEndian) { Array($0.dropFirst()) }
        bytes += [0xFF, 0x51, 3] + big
        runningStatus = nil
      case .meta(let type, let content):
        bytes += [0xFF, type] + Self.variableLength(content.count) + content
        runningStatus = nil
      }
    }
    return bytes + Self.variableLength(max(0, endTick - tick)) + [0xFF, 0x2F, 0]
  }

  private static func variableLength(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7F)]
    var rest = value >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }
}
