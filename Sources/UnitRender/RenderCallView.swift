// The view of a render call: its busses, its events, its context.

/// A unit's view of one render call. Counterpart of the arguments of `AUInternalRenderBlock`.
///
/// One call renders every output bus of the unit. (AUv3 renders one bus a call, so a unit with
/// several has to store the others until they are requested.)
///
/// The value is a handle, valid for the duration of the call.
public struct RenderCallView: BitwiseCopyable {
  public let call: UnsafeMutablePointer<RenderCall>

  @_noLocks @_noAllocation @inlinable
  public init(_ call: UnsafeMutablePointer<RenderCall>) {
    self.call = call
  }

  @inlinable
  public var frameCount: Int { @_noLocks @_noAllocation get { Int(call.pointee.frameCount) } }

  /// Returns the buffers of output bus `bus`, which is below `outputBusCount`.
  @_noLocks @_noAllocation @inlinable
  public func output(_ bus: Int) -> AudioBuffers {
    AudioBuffers(call.pointee.outputs + bus)
  }

  /// Returns the buffers of input bus `bus`, which is below `inputBusCount`.
  @_noLocks @_noAllocation @inlinable
  public func input(_ bus: Int) -> AudioBuffers {
    AudioBuffers(call.pointee.inputs + bus)
  }

  /// The call's events; nil if it has none.
  @inlinable
  public var events: RenderEventList? {
    @_noLocks @_noAllocation get { list(call.pointee.events) }
  }

  /// The list for the unit's own MIDI; nil if none is wanted.
  @inlinable
  public var midiOutput: RenderEventList? {
    @_noLocks @_noAllocation get { list(call.pointee.midiOutput) }
  }

  @_noLocks @_noAllocation @inlinable
  func list(_ header: UnsafeMutablePointer<RenderEventListHeader>?) -> RenderEventList? {
    guard let header else { return nil }
    return RenderEventList(at: header)
  }
}
