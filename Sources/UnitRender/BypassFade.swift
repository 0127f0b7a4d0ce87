// The click-free fades at the start and end of a bypass.

import Realtime

/// The fade of a unit that leaves its bypass to its host.
///
/// The start of a bypass crossfades from the unit to its input, delayed by the unit's latency,
/// within 20 ms. After that the unit is not rendered. At the end of a bypass the unit is reset and
/// its input fades in within 10 ms, so that delay lines store no step. Once the unit's latency has
/// passed too, its output is crossfaded in within 20 ms. A unit without inputs resumes where it
/// stopped.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
struct BypassFade: BitwiseCopyable {
  /// Storage of the fade's position, in frames. From `fadeFrames` on only the unit is heard, at 0
  /// only its input. Below 0 the unit's input fades in and then its latency passes.
  private let switches: UnitSwitches
  /// The delay of the passed input; nil without latency.
  let delay: DelayedBypass?
  private let fadeFrames: Int
  private let riseFrames: Int
  /// Number of the first output's channels that have a counterpart in the first input.
  private let passedCount: Int
  private let hasInput: Bool
  /// The faded-in input by bus and channel, then the passed input, `maximumFrames` each.
  private let memory: UnsafeMutablePointer<Float>
  private let inputCount: Int
  /// The call's own input buffers while the unit is given the faded-in ones.
  private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let maximumFrames: Int

  /// The positions of a unit not rendered yet, and of a bypassed one.
  static var notRendered: Int { @_noLocks @_noAllocation get { .max } }
  static var bypassed: Int { @_noLocks @_noAllocation get { .min } }

  /// - Thread: [control]
  init(
    delay: DelayedBypass?, switches: UnitSwitches, inputChannels: [Int], outputChannels: [Int],
    maximumFrames: Int, sampleRate: Double
  ) {
    self.delay = delay
    self.switches = switches
    self.maximumFrames = maximumFrames
    fadeFrames = max(1, Int((sampleRate * 0.020).rounded()))
    riseFrames = max(1, Int((sampleRate * 0.010).rounded()))
    inputCount = inputChannels.reduce(0, +)
    hasInput = inputCount > 0
    passedCount = min(inputChannels.first ?? 0, outputChannels.first ?? 0)
    let count = max(1, (inputCount + passedCount) * maximumFrames)
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    inputs = .allocate(capacity: max(1, inputCount))
    inputs.initialize(repeating: nil, count: max(1, inputCount))
  }

  /// - Thread: [control], once no render thread uses it.
  func deallocate() {
    memory.deallocate()
    inputs.deallocate()
  }

  var position: Int {
    @_noLocks @_noAllocation get { switches.bypassPosition }
    @_noLocks @_noAllocation nonmutating set { switches.bypassPosition = newValue }
  }

  /// Whether no fade is needed: only the unit is heard, or only its input, as `isBypassed`
  /// requires.
  @_noLocks @_noAllocation
  func rests(isBypassed: Bool) -> Bool {
    position == (isBypassed ? Self.bypassed : fadeFrames)
  }

  /// Starts or ends a bypass.
  /// - Returns: whether the unit must be reset.
  @_noLocks @_noAllocation
  func turn(isBypassed: Bool) -> Bool {
    if position == Self.notRendered {
      position = isBypassed ? Self.bypassed : fadeFrames
    } else if isBypassed {
      if position <= 0 { position = Self.bypassed }
    } else if position == Self.bypassed {
      position = hasInput ? 0 &- riseFrames &- (delay?.frames ?? 0) : 0
      return hasInput
    }
    return false
  }

  /// Returns the most frames of a fade to render in one call. A call ends with the fade to a
  /// bypass, after which the unit is not rendered.
  @_noLocks @_noAllocation
  func frames(isBypassed: Bool) -> Int { isBypassed ? max(1, position) : .max }

  /// Stores the passed input, and gives the unit its faded-in input.
  @_noLocks @_noAllocation
  func begin(_ call: RenderCallView, frameCount: Int) {
    var channel = 0
    while channel < passedCount {
      let passed = memory + (inputCount &+ channel) &* maximumFrames
      if let input = call.input(0)[channel] {
        if let delay {
          delay.pass(input, to: passed, count: frameCount, channel: channel)
        } else {
          Samples.copy(input, to: passed, count: frameCount)
        }
      } else {
        Samples.clear(passed, count: frameCount)
      }
      channel &+= 1
    }
    if !isRising { return }
    let risen = position &+ riseFrames &+ (delay?.frames ?? 0)
    var index = 0
    var bus = 0
    while bus < Int(call.call.pointee.inputBusCount) {
      let buffers = call.input(bus)
      channel = 0
      while channel < buffers.channelCount {
        inputs[index] = buffers[channel]
        if let input = buffers[channel] {
          let risenInput = memory + index &* maximumFrames
          rise(input, to: risenInput, from: risen, frameCount: frameCount)
          buffers[channel] = risenInput
        }
        index &+= 1
        channel &+= 1
      }
      bus &+= 1
    }
  }

  /// Whether the fade-in of the unit's input has not ended.
  private var isRising: Bool {
    @_noLocks @_noAllocation get { hasInput && position < 0 &- (delay?.frames ?? 0) }
  }

  /// Restores the call's own input buffers.
  @_noLocks @_noAllocation
  private func restoreInputs(of call: RenderCallView) {
    if !isRising { return }
    var index = 0
    var bus = 0
    while bus < Int(call.call.pointee.inputBusCount) {
      let buffers = call.input(bus)
      var channel = 0
      while channel < buffers.channelCount {
        buffers[channel] = inputs[index]
        index &+= 1
        channel &+= 1
      }
      bus &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func rise(
    _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, from risen: Int,
    frameCount: Int
  ) {
    let count = min(frameCount, riseFrames &- risen)
    var frame = 0
    while frame < count {
      output[frame] = input[frame] * Float(risen &+ frame &+ 1) / Float(riseFrames)
      frame &+= 1
    }
    Samples.copy(input + count, to: output + count, count: frameCount &- count)
  }

  /// Crossfades the unit's output with the passed input, and advances the position. After its end
  /// the output is bit-identical with and without the fade, wherever the call ends.
  @_noLocks @_noAllocation
  func end(_ call: RenderCallView, frameCount: Int, isBypassed: Bool) {
    restoreInputs(of: call)
    var bus = 0
    while bus < Int(call.call.pointee.outputBusCount) {
      let buffers = call.output(bus)
      var channel = 0
      while channel < buffers.channelCount {
        if let output = buffers[channel] {
          blend(
            bus == 0 ? passed(channel, call) : nil, into: output, frameCount: frameCount,
            isBypassed: isBypassed)
        }
        channel &+= 1
      }
      bus &+= 1
    }
    if isBypassed {
      position = position &- frameCount
      if position <= 0 { position = Self.bypassed }
    } else {
      position = min(fadeFrames, position &+ frameCount)
    }
  }

  /// Returns the input passed to a channel of the first output; an only channel goes to all, as in
  /// `passThrough`. Nil if there is none.
  @_noLocks @_noAllocation
  private func passed(_ channel: Int, _ call: RenderCallView) -> UnsafePointer<Float>? {
    if channel < passedCount {
      return UnsafePointer(memory + (inputCount &+ channel) &* maximumFrames)
    }
    if passedCount > 0 && call.input(0).channelCount == 1 {
      return UnsafePointer(memory + inputCount &* maximumFrames)
    }
    return nil
  }

  @_noLocks @_noAllocation
  private func blend(
    _ passed: UnsafePointer<Float>?, into output: UnsafeMutablePointer<Float>, frameCount: Int,
    isBypassed: Bool
  ) {
    var position = self.position
    var frame = 0
    while frame < frameCount {
      position = isBypassed ? position &- 1 : position &+ 1
      if position >= fadeFrames { return }
      let dry = passed?[frame] ?? 0
      let wet = output[frame]
      output[frame] = position <= 0 ? dry : dry + (wet - dry) * Float(position) / Float(fadeFrames)
      frame &+= 1
    }
  }
}
