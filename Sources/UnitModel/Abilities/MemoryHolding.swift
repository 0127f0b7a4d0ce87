// Units that hold much memory.

/// A unit that reports the memory it holds besides its render memory, such as sounds and
/// SoundFonts.
public protocol MemoryHolding: AudioUnit {
  /// The memory the unit holds now.
  ///
  /// - Thread: [control]
  var heldMemory: [HeldMemory] { get }
}

/// Memory that a unit holds.
public struct HeldMemory: Sendable, Hashable {
  public enum Content: Sendable, Hashable {
    /// SoundFonts, with their samples.
    case soundFonts
    /// Sounds in memory, and audio buffered on its way from or to a disk.
    case sounds
    /// Measured impulse responses.
    case responses
  }

  public let content: Content
  /// In bytes, at least 0; an estimate for SoundFonts.
  public let byteCount: Int
  /// Equal for units of a process that share this memory; nil for memory of this unit only.
  public let sharedAs: String?

  /// - Thread: [any]
  public init(_ content: Content, byteCount: Int, sharedAs: String? = nil) {
    self.content = content
    self.byteCount = byteCount
    self.sharedAs = sharedAs
  }
}
