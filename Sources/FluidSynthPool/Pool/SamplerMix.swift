// Memory for mixing separated channels: dry outputs and the inputs of the effects.

import Realtime

/// Memory for mixing a slice. The value is a handle: copies name the same memory.
package struct SamplerMix: @unchecked Sendable, BitwiseCopyable {
  /// Left and right of each channel, at the slice's first frame.
  package let dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  package let reverbSend: UnsafeMutablePointer<Float>
  package let chorusSend: UnsafeMutablePointer<Float>
  package let wetLeft: UnsafeMutablePointer<Float>
  package let wetRight: UnsafeMutablePointer<Float>
  /// Factors for each frame: of a pool that fades, and of the outputs.
  package let fades: UnsafeMutablePointer<Float>
  package let gains: UnsafeMutablePointer<Float>
  /// The buffers that a synth is to render now: left and right of each channel; nil for silent
  /// ones.
  let wanted: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let memory: UnsafeMutablePointer<Float>

  /// - Thread: [control]
  package init(maximumFrames: Int) {
    let count = 6 * maximumFrames
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    reverbSend = memory
    chorusSend = memory + maximumFrames
    wetLeft = memory + 2 * maximumFrames
    wetRight = memory + 3 * maximumFrames
    fades = memory + 4 * maximumFrames
    gains = memory + 5 * maximumFrames
    dry = .allocate(capacity: 32)
    dry.initialize(repeating: memory, count: 32)
    wanted = .allocate(capacity: 32)
    wanted.initialize(repeating: nil, count: 32)
  }

  /// - Thread: [control], after its last use.
  package func deallocate() {
    memory.deallocate()
    dry.deallocate()
    wanted.deallocate()
  }

  /// Requests a channel's part of a block.
  /// - Parameter block: room for it, left and right.
  @_noLocks @_noAllocation
  func open(_ channel: Int, _ block: UnsafeMutablePointer<Float>) {
    Samples.clear(block, count: 2 * Synth.blockFrames)
    wanted[2 * channel] = block
    wanted[2 * channel + 1] = block + Synth.blockFrames
  }

  /// Withdraws the request.
  @_noLocks @_noAllocation
  func close(_ channel: Int) {
    wanted[2 * channel] = nil
    wanted[2 * channel + 1] = nil
  }

  /// Takes the rendered part from a position in the block. Adds it to the dry outputs, and its sum,
  /// scaled by the sends, to the effects' inputs.
  @_noLocks @_noAllocation
  func take(
    _ channel: Int, of block: UnsafeMutablePointer<Float>, from position: Int, at frame: Int,
    count: Int, _ send: ChannelSend, _ fades: UnsafePointer<Float>?
  ) {
    let left = block + position
    let right = left + Synth.blockFrames
    if let fades {
      var index = 0
      while index < count {
        left[index] *= fades[frame + index]
        right[index] *= fades[frame + index]
        index &+= 1
      }
    }
    Samples.add(left, to: dry[2 * channel] + frame, count: count)
    Samples.add(right, to: dry[2 * channel + 1] + frame, count: count)
    add(left, right, to: reverbSend + frame, count, send.reverb, position)
    add(left, right, to: chorusSend + frame, count, send.chorus, position)
  }

  @_noLocks @_noAllocation
  private func add(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    to input: UnsafeMutablePointer<Float>, _ count: Int, _ ramp: BlockRamp, _ position: Int
  ) {
    if ramp.isZero { return }
    var index = 0
    while index < count {
      input[index] += (left[index] + right[index]) * ramp.value(at: position &+ index)
      index &+= 1
    }
  }
}
