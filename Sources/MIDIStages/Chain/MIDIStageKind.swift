// The kinds of stages, by name.

/// A kind of stage. The raw value is its name in configurations and key paths.
///
/// The order is part of parameter addresses: kinds are appended, and never moved or removed.
public enum MIDIStageKind: String, Sendable, CaseIterable {
  case filter, transpose, velocity, scale, channel, bend, controller, arpeggiator, chord, echo
  case clock

  /// The kind's number in parameter addresses, from 1 on.
  ///
  /// - Thread: [any]
  public var number: UInt8 {
    UInt8(Self.allCases.prefix { $0 != self }.count + 1)
  }
}
