// Units that have something to tell.

/// A unit that has more to tell than what every unit counts.
public protocol ReportingUnit: AudioUnit {
  /// What can go wrong without an error being thrown, as counts since the start.
  ///
  /// - Thread: [control]
  var counts: [UnitCount] { get }

  /// How many voices sound; nil for a unit that has none.
  ///
  /// - Thread: [any]
  var soundingVoices: Int? { get }

  /// What has happened since the last call, in its order.
  ///
  /// - Thread: [control]
  func takeNews() -> [UnitNotice]

  /// What would be silent as it is set up, or sound otherwise than somebody expects: a line each.
  ///
  /// - Thread: [control]
  var warnings: [String] { get }

  /// Why it would be silent at a sample rate, in hertz; nil for one at which it plays.
  ///
  /// - Thread: [any]
  func warning(atSampleRate rate: Int) -> String?
}

extension ReportingUnit {
  public var counts: [UnitCount] { [] }
  public var soundingVoices: Int? { nil }
  public func takeNews() -> [UnitNotice] { [] }
  public var warnings: [String] { [] }
  public func warning(atSampleRate rate: Int) -> String? { nil }
}

/// How often something went wrong.
///
/// - Thread: [any]
public struct UnitCount: Sendable, Hashable {
  /// What was counted, in words that a number follows.
  public let what: String
  public let number: Int
  /// Whether the first is told and no more, because every second would bring news.
  public let isToldOnce: Bool
  /// Whether the number is the greatest of several, to which nothing is added.
  public let isGreatest: Bool

  public init(_ what: String, _ number: Int, isToldOnce: Bool = false, isGreatest: Bool = false) {
    self.what = what
    self.number = number
    self.isToldOnce = isToldOnce
    self.isGreatest = isGreatest
  }

  /// MIDI events that a unit has lost, which defers what is more than it can play in time.
  public static func lostMIDIEvents(_ number: Int) -> UnitCount {
    UnitCount("MIDI events lost, because too many waited for time to be played", number)
  }

  /// Events that such a unit has deferred, and how long the one that waited most did, in frames.
  ///
  /// Empty if none waited longer than 64 frames: note-offs and controllers act at the next bound of
  /// 64 frames anyway.
  public static func deferredEvents(_ number: Int, longest frames: Int) -> [UnitCount] {
    if frames <= 64 { return [] }
    return [
      UnitCount(
        "events that waited, because there were more before them than 64 frames have time for",
        number, isToldOnce: true),
      UnitCount(
        "frames that the event waited that waited longest", frames, isToldOnce: true,
        isGreatest: true),
    ]
  }
}

/// Something that has happened in a unit.
///
/// - Thread: [any]
public struct UnitNotice: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// As it was asked for.
    case done
    /// Later than it was asked for.
    case late(frames: Int)
    /// Not at all.
    case failed
  }

  public let kind: Kind
  public let text: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
