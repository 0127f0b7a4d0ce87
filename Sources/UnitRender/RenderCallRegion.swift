// The memory of a unit's render call: the call and the buffer lists of its busses.

/// One relocatable piece of memory with a `RenderCall` and the buffer lists of all busses of a unit.
public struct RenderCallRegion: @unchecked Sendable, BitwiseCopyable {
  public let view: RenderCallView

  /// Allocates a call for busses of the given channel counts. All buffers are nil.
  /// - Thread: [control]
  public static func allocate(
    inputChannels: [Int], outputChannels: [Int], frameCapacity: Int
  ) -> RenderCallRegion {
    let word = MemoryLayout<Int64>.size
    let tables = MemoryLayout<RenderCall>.size
    let lists = tables + (inputChannels.count + outputChannels.count) * word
    let size = (inputChannels + outputChannels).reduce(lists) {
      $0 + AudioBuffers.byteCount(channels: $1)
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let call = memory.bindMemory(to: RenderCall.self, capacity: 1)
    call.pointee = RenderCall()
    call.pointee.outputBusCount = UInt32(outputChannels.count)
    call.pointee.inputBusCount = UInt32(inputChannels.count)
    call.pointee.outputs = Int64(tables)
    call.pointee.inputs = Int64(tables + outputChannels.count * word)
    var place = lists
    for (index, channels) in (outputChannels + inputChannels).enumerated() {
      (memory + tables + index * word).storeBytes(of: Int64(place), as: Int64.self)
      var header = AudioBufferListHeader()
      header.channelCount = UInt32(channels)
      header.frameCapacity = UInt32(frameCapacity)
      (memory + place).storeBytes(of: header, as: AudioBufferListHeader.self)
      place += AudioBuffers.byteCount(channels: channels)
    }
    return RenderCallRegion(view: RenderCallView(call))
  }

  /// - Thread: [control], once nobody uses the call any more.
  public func deallocate() {
    UnsafeMutableRawPointer(view.call).deallocate()
  }

  /// Refers the call to `events`, or to none.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func setEvents(_ events: RenderEventList?) {
    view.call.pointee.events = offset(to: events)
  }

  /// Gives the unit a list for its own MIDI, or none.
  /// - Thread: [render]
  @_noLocks @_noAllocation @inlinable
  public func setMIDIOutput(_ list: RenderEventList?) {
    view.call.pointee.midiOutput = offset(to: list)
  }

  @_noLocks @_noAllocation @inlinable
  func offset(to list: RenderEventList?) -> Int64 {
    guard let list else { return 0 }
    return Int64(UnsafeMutableRawPointer(list.header) - UnsafeMutableRawPointer(view.call))
  }
}
