// FluidSynth's blocks.

/// The block of FluidSynth, a number of frames; events take effect at block boundaries.
///
/// Public, since code inlined in other targets requires it: a division by a call's result could
/// trap.
public enum SynthBlock {
  @inlinable public static var frames: Int { @_noLocks @_noAllocation get { 64 } }
}
