// References to channel buffers.

/// The name of a channel buffer of a schedule. External buffers belong to the backend and may move
/// in every cycle, so a schedule refers to them by index.
public struct BufferReference: BitwiseCopyable, Sendable, Hashable {
  public enum Space: UInt8, Sendable, BitwiseCopyable {
    /// Zeros; never written.
    case silence
    /// Memory of the schedule.
    case pool
    /// An audio input port, read by the backend.
    case externalInput
    /// An audio output port, played by the backend.
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
