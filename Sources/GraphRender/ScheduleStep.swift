// Steps of a schedule.

/// One step of a schedule, in the order of rendering.
public struct ScheduleStep: BitwiseCopyable, Sendable, Equatable {
  public enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// Copies `source` to `destination`.
    case copy
    /// Adds `source` to `destination`.
    case add
    /// Renders unit `unit` with its bindings.
    case render
    /// Transfers the MIDI that unit `unit` sent to unit `other`, along edge `edge`.
    case transferMIDI
    /// Transfers the parameter events that unit `unit` sent for target `edge` to unit `other`.
    case transferParameters
    /// Releases at unit `other` the held notes of edge `edge`, and drops the delayed events of
    /// queue `delay`.
    case endMIDI
    /// Copies `source` to `destination`, delayed by `frames` with the line `delay`, for unit
    /// `other`.
    case delay
    /// Transfers MIDI as `transferMIDI` does, delayed by `frames` with the queue `delay`.
    case delayMIDI
    /// Transfers parameter events as `transferParameters` does, delayed by `frames` with the queue
    /// `delay`.
    case delayParameters
    /// Transfers MIDI from the ports of unit `other`, delayed by `frames` with the queue `delay`.
    case delayPortMIDI
    /// Renders the `frames` steps after it, the chain `other` of time effect `unit`, for as many
    /// frames as the effect requests.
    case pull
  }

  /// The fade of a copied or added signal at the start of a schedule.
  public enum Fade: UInt8, Sendable, BitwiseCopyable {
    case none
    /// The signal fades in.
    case rising
    /// The signal fades out.
    case falling
  }

  /// The length of a fade in frames.
  package static var fadeFrames: Int { @_noLocks @_noAllocation get { 128 } }

  public let kind: Kind
  public let fade: Fade
  public let source: BufferReference
  public let destination: BufferReference
  public let unit: Int32
  public let other: Int32
  public let edge: Int32
  /// The index of a line or a queue, -1 for none.
  public let delay: Int32
  public let frames: Int32
  /// The schedule's frame for the start of a fade, or for the change of a delay from its former
  /// length.
  public let start: Int32
  /// The former length of a delay, in frames.
  public let formerFrames: Int32

  private init(
    _ kind: Kind, source: BufferReference = .silence, destination: BufferReference = .silence,
    fade: Fade = .none, unit: Int = 0, other: Int = 0, edge: Int = 0, delay: Int = -1,
    frames: Int = 0, start: Int = 0, formerFrames: Int = 0
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
    self.start = Int32(start)
    self.formerFrames = Int32(formerFrames)
  }

  public static func copy(
    _ source: BufferReference, to destination: BufferReference, fade: Fade = .none,
    start: Int = 0
  ) -> Self {
    Self(.copy, source: source, destination: destination, fade: fade, start: start)
  }

  public static func add(
    _ source: BufferReference, to destination: BufferReference, fade: Fade = .none,
    start: Int = 0
  ) -> Self {
    Self(.add, source: source, destination: destination, fade: fade, start: start)
  }

  public static func render(unit: Int) -> Self { Self(.render, unit: unit) }

  /// Makes a `pull` step.
  /// - Parameter count: the number of the chain's steps, which follow this one.
  public static func pull(for unit: Int, chain: Int, count: Int) -> Self {
    Self(.pull, unit: unit, other: chain, frames: count)
  }

  public static func transferMIDI(from unit: Int, to other: Int, edge: Int) -> Self {
    Self(.transferMIDI, unit: unit, other: other, edge: edge)
  }

  /// Makes a `transferParameters` step.
  /// - Parameter target: the `target` of the events.
  public static func transferParameters(from unit: Int, to other: Int, target: Int) -> Self {
    Self(.transferParameters, unit: unit, other: other, edge: target)
  }

  /// Makes an `endMIDI` step.
  /// - Parameter queue: the queue of delayed events of the edge, -1 for none.
  public static func endMIDI(to other: Int, edge: Int, queue: Int = -1) -> Self {
    Self(.endMIDI, other: other, edge: edge, delay: queue)
  }

  /// Makes a `delay` step.
  /// - Parameter wait: the delay; the same in the following functions.
  public static func delay(
    _ source: BufferReference, to destination: BufferReference, line: Int, _ wait: Wait,
    for other: Int
  ) -> Self {
    Self(
      .delay, source: source, destination: destination, other: other, delay: line,
      frames: wait.frames, start: wait.start, formerFrames: wait.former)
  }

  public static func delayMIDI(
    from unit: Int, to other: Int, edge: Int, queue: Int, _ wait: Wait
  ) -> Self {
    Self(
      .delayMIDI, unit: unit, other: other, edge: edge, delay: queue, frames: wait.frames,
      start: wait.start, formerFrames: wait.former)
  }

  public static func delayParameters(
    from unit: Int, to other: Int, target: Int, queue: Int, _ wait: Wait
  ) -> Self {
    Self(
      .delayParameters, unit: unit, other: other, edge: target, delay: queue,
      frames: wait.frames, start: wait.start, formerFrames: wait.former)
  }

  public static func delayPortMIDI(to other: Int, queue: Int, _ wait: Wait) -> Self {
    Self(
      .delayPortMIDI, other: other, delay: queue, frames: wait.frames, start: wait.start,
      formerFrames: wait.former)
  }

  /// The length of a delay: `former` frames until the schedule's frame `start`, then `frames`.
  public struct Wait: Sendable, Equatable {
    public let frames: Int
    public let former: Int
    public let start: Int

    public init(_ frames: Int, former: Int? = nil, start: Int = 0) {
      (self.frames, self.former, self.start) = (frames, former ?? frames, start)
    }
  }

  /// Returns the length of the delay at a frame of the schedule.
  @_noLocks @_noAllocation
  func wait(at position: Int) -> Int { Int(position < Int(start) ? formerFrames : frames) }
}
