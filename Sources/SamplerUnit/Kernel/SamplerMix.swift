// Where separated channels are mixed: dry outputs and the inputs of the effects.

import Realtime

/// Memory for mixing a slice. The value is a handle: copies name the same memory.
struct SamplerMix: @unchecked Sendable, BitwiseCopyable {
  /// Left and right of each channel, at the slice's first frame.
  let dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let reverbSend: UnsafeMutablePointer<Float>
  let chorusSend: UnsafeMutablePointer<Float>
  let wetLeft: UnsafeMutablePointer<Float>
  let wetRight: UnsafeMutablePointer<Float>
  /// A factor for each frame, of a pool that fades and of the outputs.
  let fades: UnsafeMutablePointer<Float>
  let gains: UnsafeMutablePointer<Float>
  /// What a synth is to render now: left and right of each channel, nil where nothing sounds.
  let wanted: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let blocks: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutablePointer<Float>

  /// - Thread: [control]
  init(maximumFrames: Int) {
    let count = 6 * maximumFrames + 32 * Synth.blockFrames
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    reverbSend = memory
    chorusSend = memory + maximumFrames
    wetLeft = memory + 2 * maximumFrames
    wetRight = memory + 3 * maximumFrames
    fades = memory + 4 * maximumFrames
    gains = memory + 5 * maximumFrames
    blocks = memory + 6 * maximumFrames
    dry = .allocate(capacity: 32)
    dry.initialize(repeating: memory, count: 32)
    wanted = .allocate(capacity: 32)
    wanted.initialize(repeating: nil, count: 32)
  }

  /// - Thread: [control], once nobody uses it any more.
  func deallocate() {
    memory.deallocate()
    dry.deallocate()
    wanted.deallocate()
  }

  /// Asks for a channel's part of a block.
  @_noLocks @_noAllocation
  func open(_ channel: Int, count: Int) {
    var side = 2 * channel
    while side <= 2 * channel + 1 {
      let block = blocks + side * Synth.blockFrames
      Samples.clear(block, count: count)
      wanted[side] = block
      side += 1
    }
  }

  /// Takes what came: adds it to the dry outputs, and its sum, as its sends say, to the effects' inputs.
  @_noLocks @_noAllocation
  func close(
    _ channel: Int, at frame: Int, count: Int, _ send: ChannelSend, _ position: Int,
    _ fades: UnsafePointer<Float>?
  ) {
    let left = blocks + 2 * channel * Synth.blockFrames
    let right = left + Synth.blockFrames
    if let fades {
      var index = 0
      while index < count {
        left[index] *= fades[frame + index]
        right[index] *= fades[frame + index]
        index += 1
      }
    }
    Samples.add(left, to: dry[2 * channel] + frame, count: count)
    Samples.add(right, to: dry[2 * channel + 1] + frame, count: count)
    add(left, right, to: reverbSend + frame, count, send.reverb, position)
    add(left, right, to: chorusSend + frame, count, send.chorus, position)
    wanted[2 * channel] = nil
    wanted[2 * channel + 1] = nil
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
