// Units that report counts, notices and warnings.

/// A unit that reports more than the common counts of all units.
public protocol ReportingUnit: AudioUnit {
  /// Counts, since the start, of faults that throw no error.
  ///
  /// - Thread: [control]
  var counts: [UnitCount] { get }

  /// The number of sounding voices; nil for a unit that has none.
  ///
  /// - Thread: [any]
  var soundingVoices: Int? { get }

  /// The sounds that MIDI has chosen in place of the unit's preset, as text: "channel 2: Violin";
  /// nil if there are none.
  ///
  /// - Thread: [control]
  var soundsChosenByMIDI: String? { get }

  /// Returns the notices since the last call, in order.
  ///
  /// - Thread: [control]
  func takeNews() -> [UnitNotice]

  /// One line for each part of the setup that would be silent or sound in an unexpected way.
  ///
  /// - Thread: [control]
  var warnings: [String] { get }

  /// Returns the reason why the unit would be silent at a sample rate, in hertz; nil if it plays at
  /// that rate.
  ///
  /// - Thread: [any]
  func warning(atSampleRate rate: Int) -> String?
}

extension ReportingUnit {
  public var counts: [UnitCount] { [] }
  public var soundingVoices: Int? { nil }
  public var soundsChosenByMIDI: String? { nil }
  public func takeNews() -> [UnitNotice] { [] }
  public var warnings: [String] { [] }
  public func warning(atSampleRate rate: Int) -> String? { nil }
}

/// A count of one kind of fault.
///
/// - Thread: [any]
public struct UnitCount: Sendable, Hashable {
  /// The text that precedes the number in a report.
  public let what: String
  public let number: Int
  /// Whether only the first one is reported, because the number could change every second.
  public let isReportedOnce: Bool
  /// Whether the number is a maximum, not a sum.
  public let isGreatest: Bool

  /// - Thread: [any]
  public init(_ what: String, _ number: Int, isReportedOnce: Bool = false, isGreatest: Bool = false)
  {
    self.what = what
    self.number = number
    self.isReportedOnce = isReportedOnce
    self.isGreatest = isGreatest
  }

  /// Makes a count of MIDI events lost by a unit that defers events it has no time to play.
  ///
  /// - Thread: [any]
  public static func lostMIDIEvents(_ number: Int) -> UnitCount {
    UnitCount("MIDI events lost, because too many waited for time to be played", number)
  }

  /// Makes counts of the events that such a unit deferred, and of the longest delay of one, in
  /// frames.
  ///
  /// Empty if none waited longer than 64 frames: note-offs and controllers act at the next block
  /// boundary, every 64 frames, anyway.
  ///
  /// - Thread: [any]
  public static func deferredEvents(_ number: Int, longest frames: Int) -> [UnitCount] {
    if frames <= 64 { return [] }
    return [
      UnitCount(
        "events that waited, because there were more before them than 64 frames have time for",
        number, isReportedOnce: true),
      UnitCount(
        "frames that the event waited that waited longest", frames, isReportedOnce: true,
        isGreatest: true),
    ]
  }
}

/// The outcome of a unit's action, with a text for a program to show.
///
/// - Thread: [any]
public struct UnitNotice: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// Done as requested.
    case done
    /// Done later than requested.
    case late(frames: Int)
    /// Not done.
    case failed
  }

  public let kind: Kind
  public let text: String

  /// - Thread: [any]
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
