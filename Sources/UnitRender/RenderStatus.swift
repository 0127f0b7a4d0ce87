// The results of render calls.

/// The result of a render call. Negative values keep the numbers of AUv3's errors.
public enum RenderStatus {
  /// The outputs are rendered.
  @inlinable public static var ok: Int32 { @_noLocks @_noAllocation get { 0 } }
  /// The call requests more frames than `maximumFramesToRender`
  /// (`kAudioUnitErr_TooManyFramesToProcess`).
  @inlinable public static var tooManyFrames: Int32 { @_noLocks @_noAllocation get { -10874 } }
  /// The unit's resources are not allocated (`kAudioUnitErr_Uninitialized`).
  @inlinable public static var notAllocated: Int32 { @_noLocks @_noAllocation get { -10867 } }
  /// An input has no source (`kAudioUnitErr_NoConnection`).
  @inlinable public static var noConnection: Int32 { @_noLocks @_noAllocation get { -10876 } }
  /// The call's busses differ from those of the unit (`kAudioUnitErr_FormatNotSupported`).
  @inlinable public static var formatMismatch: Int32 { @_noLocks @_noAllocation get { -10868 } }
}
