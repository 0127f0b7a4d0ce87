// The memory of a unit's render call: the call and the buffer lists of its busses.

/// One piece of memory with a `RenderCall`, the buffer lists of all busses of a unit and the lists'
/// channel pointers.
public struct RenderCallRegion: @unchecked Sendable, BitwiseCopyable {
  public let view: RenderCallView

  /// Allocates a call for busses with the given channel counts. All buffers are nil.
  /// - Thread: [control]
  public static func allocate(inputChannels: [Int], outputChannels: [Int]) -> RenderCallRegion {
    let counts = outputChannels + inputChannels
    let lists = MemoryLayout<RenderCall>.stride
    let pointers = lists + counts.count * MemoryLayout<AudioBufferList>.stride
    let size = pointers + counts.reduce(0, +) * MemoryLayout<UnsafeMutablePointer<Float>?>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    let list = (memory + lists).bindMemory(to: AudioBufferList.self, capacity: counts.count)
    var channels = (memory + pointers).bindMemory(
      to: UnsafeMutablePointer<Float>?.self, capacity: counts.reduce(0, +))
    for (index, count) in counts.enumerated() {
      channels.initialize(repeating: nil, count: count)
      (list + index).initialize(
        to: AudioBufferList(channelCount: UInt32(count), channels: channels))
      channels += count
    }
    let call = memory.bindMemory(to: RenderCall.self, capacity: 1)
    call.initialize(
      to: RenderCall(
        frame: 0, hostNanoseconds: 0, frameCount: 0, flags: 0,
        outputBusCount: UInt32(outputChannels.count), inputBusCount: UInt32(inputChannels.count),
        outputs: list, inputs: list + outputChannels.count, events: nil, midiOutput: nil,
        musicalContext: MusicalContext()))
    return RenderCallRegion(view: RenderCallView(call))
  }

  /// - Thread: [control], once the call is no longer used.
  public func deallocate() {
    UnsafeMutableRawPointer(view.call).deallocate()
  }

  /// Sets the call's events, or removes them.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func setEvents(_ events: RenderEventList?) {
    view.call.pointee.events = events?.header
  }

  /// Sets the list for the unit's own MIDI, or removes it.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func setMIDIOutput(_ list: RenderEventList?) {
    view.call.pointee.midiOutput = list?.header
  }
}
