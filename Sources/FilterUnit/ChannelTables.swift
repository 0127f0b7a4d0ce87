// The channel pointers of a slice, side by side.

import Realtime
import UnitRender

/// Tables of channel pointers, filled anew for every slice, and memory for one call of each
/// channel.
struct ChannelTables: BitwiseCopyable {
  let count: Int
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let scratch: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let memory: UnsafeMutablePointer<Float>

  /// - Parameters:
  ///   - count: channels, at least 1.
  ///   - frames: the most frames of a slice.
  /// - Thread: [control]
  init(count: Int, frames: Int) {
    self.count = count
    memory = .allocate(capacity: count * frames)
    memory.initialize(repeating: 0, count: count * frames)
    inputs = .allocate(capacity: count)
    outputs = .allocate(capacity: count)
    scratch = .allocate(capacity: count)
    for channel in 0..<count {
      (inputs + channel).initialize(to: UnsafePointer(memory + channel * frames))
      (outputs + channel).initialize(to: memory + channel * frames)
      (scratch + channel).initialize(to: memory + channel * frames)
    }
  }

  /// - Thread: [control]
  func deallocate() {
    memory.deallocate()
    inputs.deallocate()
    outputs.deallocate()
    scratch.deallocate()
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
  func copyInputs(frames: Int) {
    var channel = 0
    while channel < count {
      Samples.copy(inputs[channel], to: outputs[channel], count: frames)
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
