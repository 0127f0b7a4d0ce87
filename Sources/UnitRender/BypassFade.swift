// How a bypass comes and goes without a click.

import Realtime

/// The fade of a unit that leaves its bypass to its host.
///
/// A bypass that begins crossfades from the unit to its input, which is as late, within 20 ms; then
/// the unit is not rendered. Where the bypass ends, the unit forgets what sounded, and its input
/// rises within 10 ms: a delay line takes in no step. Once the unit has made something of the risen
/// input, which takes its latency, it is crossfaded in within 20 ms. A unit without inputs goes on
/// where it stood.
///
/// The value owns memory: `deallocate` frees it. Used by one render thread at a time.
struct BypassFade: BitwiseCopyable {
  /// How far the fade is, counted in frames: from `fadeFrames` on the unit is heard alone, at 0 its
  /// input, and below that its input rises, and then waits for the latency.
  private let switches: UnitSwitches
  /// What the input waits in; nil without latency.
  let delay: DelayedBypass?
  private let fadeFrames: Int
  private let riseFrames: Int
  /// The channels of the first output that have one of the first input.
  private let passedCount: Int
  private let hasInput: Bool
  /// The risen input, by bus and channel, and then what passes, `maximumFrames` each.
  private let memory: UnsafeMutablePointer<Float>
  private let inputCount: Int
  /// Where the call has its inputs while the unit hears them risen.
  private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let maximumFrames: Int

  /// The places of a unit that has not been rendered yet, and of one that is bypassed.
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

  /// - Thread: [control], once nobody renders with it.
  func deallocate() {
    memory.deallocate()
    inputs.deallocate()
  }

  var place: Int {
    @_noLocks @_noAllocation get { switches.bypassPlace }
    @_noLocks @_noAllocation nonmutating set { switches.bypassPlace = newValue }
  }

  /// Whether the unit is heard alone, or its input alone, as it is to be.
  @_noLocks @_noAllocation
  func rests(isBypassed: Bool) -> Bool {
    place == (isBypassed ? Self.bypassed : fadeFrames)
  }

  /// Turns to a bypass, or to its end.
  /// - Returns: whether the unit is to be reset.
  @_noLocks @_noAllocation
  func turn(isBypassed: Bool) -> Bool {
    if place == Self.notRendered {
      place = isBypassed ? Self.bypassed : fadeFrames
    } else if isBypassed {
      if place <= 0 { place = Self.bypassed }
    } else if place == Self.bypassed {
      place = hasInput ? 0 &- riseFrames &- (delay?.frames ?? 0) : 0
      return hasInput
    }
    return false
  }

  /// How many frames of a fade, at most, are rendered in one call: where the unit has gone it is
  /// not rendered any more.
  @_noLocks @_noAllocation
  func frames(isBypassed: Bool) -> Int { isBypassed ? max(1, place) : .max }

  /// Keeps what passes, and has the unit hear its input risen.
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
    let risen = place &+ riseFrames &+ (delay?.frames ?? 0)
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

  /// Whether the unit's input has not wholly risen.
  private var isRising: Bool {
    @_noLocks @_noAllocation get { hasInput && place < 0 &- (delay?.frames ?? 0) }
  }

  /// Gives the call its inputs back.
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

  /// Fades between what the unit has rendered and what passes, and goes on. Past its end the fade
  /// gives what no fade would, to the bit, wherever the call ends.
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
      place = place &- frameCount
      if place <= 0 { place = Self.bypassed }
    } else {
      place = min(fadeFrames, place &+ frameCount)
    }
  }

  /// What a channel of the first output passes; one channel goes to all, as `passThrough` has it.
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
    var place = self.place
    var frame = 0
    while frame < frameCount {
      place = isBypassed ? place &- 1 : place &+ 1
      if place >= fadeFrames { return }
      let dry = passed?[frame] ?? 0
      let wet = output[frame]
      output[frame] = place <= 0 ? dry : dry + (wet - dry) * Float(place) / Float(fadeFrames)
      frame &+= 1
    }
  }
}
