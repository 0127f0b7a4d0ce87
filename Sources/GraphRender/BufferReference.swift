// Where a channel's samples are during a cycle.

/// Names a channel buffer of a schedule. Buffers outside belong to the backend and may be elsewhere
/// in every cycle, so a schedule names them by number.
public struct BufferReference: BitwiseCopyable, Sendable, Hashable {
  public enum Space: UInt8, Sendable, BitwiseCopyable {
    /// Zeros that nobody writes.
    case silence
    /// Memory of the schedule.
    case pool
    /// An audio port that the backend reads for us.
    case externalInput
    /// An audio port that the backend plays for us.
    case externalOutput
  }

  public let space: Space
  public let index: Int32

  public init(_ space: Space, _ index: Int = 0) {
    self.space = space
    self.index = Int32(index)
  }

  public static let silence = BufferReference(.silence)
}
