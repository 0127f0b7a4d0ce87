// Reading a render call: its busses, its events, its context.

/// One render call as a unit sees it. Counterpart of the arguments of `AUInternalRenderBlock`.
///
/// One call renders every output bus of the unit. (AUv3 renders one bus a call, so that a unit with
/// several has to keep the others until they are asked for; one call needs no such store.)
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

  /// The buffers of output bus `bus`, which is below `outputBusCount`.
  @_noLocks @_noAllocation @inlinable
  public func output(_ bus: Int) -> AudioBuffers {
    AudioBuffers(call.pointee.outputs + bus)
  }

  /// The buffers of input bus `bus`, which is below `inputBusCount`.
  @_noLocks @_noAllocation @inlinable
  public func input(_ bus: Int) -> AudioBuffers {
    AudioBuffers(call.pointee.inputs + bus)
  }

  /// The call's events, nil when it has none.
  @inlinable
  public var events: RenderEventList? {
    @_noLocks @_noAllocation get { list(call.pointee.events) }
  }

  /// Where the unit's own MIDI goes, nil when nobody takes it.
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
