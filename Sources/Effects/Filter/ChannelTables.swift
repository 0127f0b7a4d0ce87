// A slice's channel pointers, in contiguous tables.

import Realtime
import UnitRender

/// Tables of channel pointers, refilled for every slice.
struct ChannelTables: BitwiseCopyable {
  let count: Int
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// - Parameter count: channels, at least 1.
  /// - Thread: [control]
  init(count: Int) {
    self.count = count
    inputs = .allocate(capacity: count)
    outputs = .allocate(capacity: count)
  }

  /// - Thread: [control]
  func deallocate() {
    inputs.deallocate()
    outputs.deallocate()
  }

  @_noLocks @_noAllocation
  func point(to slice: RenderSlice) {
    var channel = 0
    while channel < count {
      inputs[channel] = slice.input(channel: channel)
      outputs[channel] = slice.output(channel: channel)
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  func clearOutputs(frames: Int) {
    var channel = 0
    while channel < count {
      Samples.clear(outputs[channel], count: frames)
      channel += 1
    }
  }

  @_noLocks @_noAllocation
  func inputsAreSilent(frames: Int) -> Bool {
    var channel = 0
    while channel < count {
      if !Samples.isSilent(inputs[channel], count: frames) { return false }
      channel += 1
    }
    return true
  }
}
