// Contents of Standard MIDI Files.
import Files
import FoundationEssentials

/// The events of a Standard MIDI File in order of time.
///
/// Reads formats 0, 1 and 2, in ticks of a quarter note or of an SMPTE frame, also in an RMID
/// wrapper. Events of one time keep the order of the file, one track after another; the sequences
/// of format 2 follow each other. Running status is resolved, and split System Exclusive messages
/// are joined. Meta events are dropped after their tempo and time signatures are read. Flaws that
/// leave the rest readable are listed in `remarks`.
///
/// - Thread: [any]
public struct MIDIFile: Sendable {
  /// The maximum size of a file, in bytes.
  public static let maximumBytes = 32 << 20
  /// The longest sequence, in seconds: far longer than music, far below the limit of frame counts.
  public static let maximumSeconds = 1e6

  /// One message.
  public struct Event: Sendable, Hashable {
    /// Time since the start, in seconds.
    public let seconds: Double
    /// The index of the track, from 0.
    public let track: Int
    /// The range of its bytes in `MIDIFile.messages`.
    public let byteRange: Range<Int>
  }

  /// All messages, sorted by time.
  public let events: [Event]
  /// The bytes of all messages: each begins with its status, System Exclusive ends with F7.
  public let messages: [UInt8]
  /// Tempo and time signature over time.
  public let tempoMap: MIDITempoMap
  /// End of the last track, in seconds.
  public let durationSeconds: Double
  /// The longest pause before an event.
  public let longestPause: MIDIFilePause
  /// Flaws of the file, one remark a kind.
  public let remarks: [MIDIFileRemark]

  /// Whether any event is a note-on.
  ///
  /// - Complexity: O(events)
  public var hasNotes: Bool {
    events.contains { event in
      messages[event.byteRange.lowerBound] & 0xF0 == 0x90
        && messages[event.byteRange.upperBound - 1] > 0
    }
  }

  /// Returns the bytes of one message.
  ///
  /// - Complexity: O(1); shares storage.
  public func bytes(of event: Event) -> ArraySlice<UInt8> { messages[event.byteRange] }

  /// Reads a file.
  ///
  /// - Throws: `unreadable`, `tooLong`, `malformed`, `unsupported`.
  /// - Thread: [control]
  public init(contentsOf url: URL) throws(MIDIFileError) {
    let file = url.relativePath
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try OpenFile(url.path).contents(upTo: Self.maximumBytes)
    } catch { throw .unreadable(file: file, reason: "\(error)") }
    guard let bytes else { throw .tooLong(file: file, maximumBytes: Self.maximumBytes) }
    try self.init(bytes: bytes, file: file)
  }

  /// Parses the bytes of a file.
  ///
  /// - Parameter file: the name for errors.
  /// - Throws: `tooLong`, `malformed`, `unsupported`.
  /// - Complexity: O(n log n) for n events.
  public init(bytes: [UInt8], file: String) throws(MIDIFileError) {
    guard bytes.count <= Self.maximumBytes else {
      throw .tooLong(file: file, maximumBytes: Self.maximumBytes)
    }
    let content = try MIDIFileParser.parse(bytes, file: file)
    tempoMap = MIDITempoMap(content.changes, division: content.division)
    messages = content.messages
    let clock = MIDITickClock(tempoMap: tempoMap, division: content.division)
    durationSeconds = clock.seconds(atTick: content.lastTick)
    let pause = content.longestPause
    longestPause = MIDIFilePause(
      seconds: clock.seconds(atTick: pause.ticks.upperBound)
        - clock.seconds(atTick: pause.ticks.lowerBound), track: pause.track, offset: pause.offset)
    remarks = content.remarks.values.sorted { $0.kind.rawValue < $1.kind.rawValue }
    guard durationSeconds <= Self.maximumSeconds else {
      throw .malformed(
        file: file, offset: pause.offset,
        what: "it lasts longer than \(Int(Self.maximumSeconds)) seconds, most of them before one"
          + " event")
    }
    let order = content.events.indices.sorted {
      (content.events[$0].tick, $0) < (content.events[$1].tick, $1)
    }
    var walk = clock
    events = order.map { index in
      let event = content.events[index]
      return Event(
        seconds: walk.advance(toTick: event.tick), track: event.track, byteRange: event.byteRange)
    }
  }
}
