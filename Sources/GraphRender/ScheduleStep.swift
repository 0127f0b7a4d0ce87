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
    /// Gives the MIDI that unit `unit` sent to unit `other`, along edge `edge`.
    case transferMIDI
    /// Gives the parameter events that unit `unit` sent for the number `edge` to unit `other`.
    case transferParameters
    /// Ends at unit `other` what came along edge `edge` and has not ended; what waits in `delay`
    /// has not begun.
    case endMIDI
    /// Copies `source` to `destination` `frames` later, by the line `delay`, for unit `other`.
    case delay
    /// Gives the MIDI that unit `unit` sent to unit `other`, along edge `edge`, `frames` later, by
    /// the queue `delay`.
    case delayMIDI
    /// Likewise the parameter events that unit `unit` sent for the number `edge`.
    case delayParameters
    /// Likewise what came for unit `other` from outside.
    case delayPortMIDI
    /// Renders the `frames` steps behind it, which are the chain `other` of time effect `unit`, for
    /// as many frames as that asks for.
    case pull
  }

  /// What becomes of a copied or added signal in the first frames of a schedule.
  public enum Fade: UInt8, Sendable, BitwiseCopyable {
    case none
    /// It comes.
    case rising
    /// It goes.
    case falling
  }

  public let kind: Kind
  public let fade: Fade
  public let source: BufferReference
  public let destination: BufferReference
  public let unit: Int32
  public let other: Int32
  public let edge: Int32
  /// The number of a line or a queue, -1 for none.
  public let delay: Int32
  public let frames: Int32

  private init(
    _ kind: Kind, source: BufferReference = .silence, destination: BufferReference = .silence,
    fade: Fade = .none, unit: Int = 0, other: Int = 0, edge: Int = 0, delay: Int = -1,
    frames: Int = 0
  ) {
    self.kind = kind
    self.fade = fade
    self.source = source
    self.destination = destination
    self.unit = Int32(unit)
    self.other = Int32(other)
    self.edge = Int32(edge)
    self.delay = Int32(delay)
    self.frames = Int32(frames)
  }

  public static func copy(
    _ source: BufferReference, to destination: BufferReference, fade: Fade = .none
  ) -> Self {
    Self(.copy, source: source, destination: destination, fade: fade)
  }

  public static func add(
    _ source: BufferReference, to destination: BufferReference, fade: Fade = .none
  ) -> Self {
    Self(.add, source: source, destination: destination, fade: fade)
  }

  public static func render(unit: Int) -> Self { Self(.render, unit: unit) }

  /// - Parameter count: of the steps behind it.
  public static func pull(for unit: Int, chain: Int, count: Int) -> Self {
    Self(.pull, unit: unit, other: chain, frames: count)
  }

  public static func transferMIDI(from unit: Int, to other: Int, edge: Int) -> Self {
    Self(.transferMIDI, unit: unit, other: other, edge: edge)
  }

  /// - Parameter target: what the events have as their `target`.
  public static func transferParameters(from unit: Int, to other: Int, target: Int) -> Self {
    Self(.transferParameters, unit: unit, other: other, edge: target)
  }

  /// - Parameter queue: where some of it may wait, -1 for nowhere.
  public static func endMIDI(to other: Int, edge: Int, queue: Int = -1) -> Self {
    Self(.endMIDI, other: other, edge: edge, delay: queue)
  }

  public static func delay(
    _ source: BufferReference, to destination: BufferReference, line: Int, frames: Int,
    for other: Int
  ) -> Self {
    Self(
      .delay, source: source, destination: destination, other: other, delay: line,
      frames: frames)
  }

  public static func delayMIDI(
    from unit: Int, to other: Int, edge: Int, queue: Int, frames: Int
  ) -> Self {
    Self(.delayMIDI, unit: unit, other: other, edge: edge, delay: queue, frames: frames)
  }

  public static func delayParameters(
    from unit: Int, to other: Int, target: Int, queue: Int, frames: Int
  ) -> Self {
    Self(.delayParameters, unit: unit, other: other, edge: target, delay: queue, frames: frames)
  }

  public static func delayPortMIDI(to other: Int, queue: Int, frames: Int) -> Self {
    Self(.delayPortMIDI, other: other, delay: queue, frames: frames)
  }
}
