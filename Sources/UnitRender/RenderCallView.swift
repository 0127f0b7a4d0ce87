// Reading a render call: its busses, its events, its context.

/// One render call as a unit sees it. Counterpart of the arguments of `AUInternalRenderBlock`.
///
/// One call renders every output bus of the unit. (AUv3 renders one bus a call, so that a unit with
/// several has to keep the others until they are asked for; one call needs no such store, and takes
/// one round trip where the unit runs in a process of its own.)
///
/// The value is a handle, valid for the duration of the call.
public struct RenderCallView: BitwiseCopyable {
  public let call: UnsafeMutablePointer<RenderCall>

  @_noLocks @_noAllocation @inlinable
  public init(_ call: UnsafeMutablePointer<RenderCall>) {
    self.call = call
  }

  @_noLocks @_noAllocation @inlinable
  func memory(at offset: Int64) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(call) + Int(offset)
  }

  @inlinable
  public var frameCount: Int { @_noLocks @_noAllocation get { Int(call.pointee.frameCount) } }

  /// The buffers of output bus `bus`, which is below `outputBusCount`.
  @_noLocks @_noAllocation @inlinable
  public func output(_ bus: Int) -> AudioBuffers {
    buffers(in: call.pointee.outputs, bus: bus)
  }

  /// The buffers of input bus `bus`, which is below `inputBusCount`.
  @_noLocks @_noAllocation @inlinable
  public func input(_ bus: Int) -> AudioBuffers {
    buffers(in: call.pointee.inputs, bus: bus)
  }

  @_noLocks @_noAllocation @inlinable
  func buffers(in table: Int64, bus: Int) -> AudioBuffers {
    let offset = memory(at: table).assumingMemoryBound(to: Int64.self)[bus]
    return AudioBuffers(
      at: memory(at: offset).assumingMemoryBound(to: AudioBufferListHeader.self))
  }

  /// The call's events, nil when it has none.
  @inlinable
  public var events: RenderEventList? {
    @_noLocks @_noAllocation get { list(at: call.pointee.events) }
  }

  /// Where the unit's own MIDI goes, nil when nobody takes it.
  @inlinable
  public var midiOutput: RenderEventList? {
    @_noLocks @_noAllocation get { list(at: call.pointee.midiOutput) }
  }

  @_noLocks @_noAllocation @inlinable
  func list(at offset: Int64) -> RenderEventList? {
    if offset == 0 { return nil }
    return RenderEventList(
      at: memory(at: offset).assumingMemoryBound(to: RenderEventListHeader.self))
  }
}
