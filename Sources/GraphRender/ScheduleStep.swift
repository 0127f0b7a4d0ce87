// What a schedule is made of.

/// One step of a schedule, in the order of rendering.
public struct ScheduleStep: BitwiseCopyable, Sendable, Equatable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Copies `source` to `destination`.
    case copy
    /// Adds `source` to `destination`.
    case add
    /// Renders unit `unit` with its bindings.
    case render
    /// Gives the MIDI that unit `unit` sent to unit `other`.
    case transferMIDI
  }

  public let kind: Kind
  public let source: BufferReference
  public let destination: BufferReference
  public let unit: Int32
  public let other: Int32

  private init(
    _ kind: Kind, source: BufferReference = .silence, destination: BufferReference = .silence,
    unit: Int = 0, other: Int = 0
  ) {
    self.kind = kind
    self.source = source
    self.destination = destination
    self.unit = Int32(unit)
    self.other = Int32(other)
  }

  public static func copy(_ source: BufferReference, to destination: BufferReference) -> Self {
    Self(.copy, source: source, destination: destination)
  }

  public static func add(_ source: BufferReference, to destination: BufferReference) -> Self {
    Self(.add, source: source, destination: destination)
  }

  public static func render(unit: Int) -> Self { Self(.render, unit: unit) }

  public static func transferMIDI(from unit: Int, to other: Int) -> Self {
    Self(.transferMIDI, unit: unit, other: other)
  }
}
