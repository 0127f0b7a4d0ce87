// Units that hold much in memory.

/// A unit that tells how much memory it holds beside what it renders with: sounds, SoundFonts and
/// the like.
public protocol MemoryHolding: AudioUnit {
  /// What the unit holds now.
  ///
  /// - Thread: [control]
  var heldMemory: [HeldMemory] { get }
}

/// Memory that a unit holds.
public struct HeldMemory: Sendable, Hashable {
  public enum Content: Sendable, Hashable {
    /// SoundFonts, with their samples.
    case soundFonts
    /// Sounds in memory, and what waits on its way from a disk or to one.
    case sounds
    /// Measured impulse responses.
    case responses
  }

  public let content: Content
  /// Above or equal to 0; of SoundFonts an estimate.
  public let byteCount: Int
  /// Equal for units of a process that share this memory; nil for a unit's own.
  public let sharedAs: String?

  public init(_ content: Content, byteCount: Int, sharedAs: String? = nil) {
    self.content = content
    self.byteCount = byteCount
    self.sharedAs = sharedAs
  }
}
