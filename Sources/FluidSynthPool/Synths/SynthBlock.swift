// FluidSynth's grid.

/// FluidSynth renders in blocks of so many frames; events take effect at their bounds.
///
/// Public, since what is inlined in other targets has to be: divided by what a call returns, a
/// number could trap.
public enum SynthBlock {
  @inlinable public static var frames: Int { @_noLocks @_noAllocation get { 64 } }
}
