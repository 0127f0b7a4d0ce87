// The render side of the organ.

import Auricle

/// Plays a triangle wave for each key that is down.
struct OrganKernel: RenderKernel, ~Copyable {
  let chain: MIDIChainPlayer
  /// In hertz.
  let sampleRate: Double
  /// Phase step of each key per frame, in periods.
  let steps: UnsafePointer<Float>
  var phases = InlineArray<128, Float>(repeating: 0)
  var levels = InlineArray<128, Float>(repeating: 0)

  @_noLocks @_noAllocation
  mutating func transformEvents(
    _ list: RenderEventList?, _ call: RenderCallView
  ) -> RenderEventList? {
    guard let list else { return nil }
    chain.process(list, during: MIDIChainCall(call, sampleRate: sampleRate))
    return list
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: chain.publish(event.pointee)
    case .midi?:
      let (status, key, velocity, _) = event.pointee.bytes
      switch status & 0xF0 {
      case 0x80: levels[Int(key & 0x7F)] = 0
      case 0x90: levels[Int(key & 0x7F)] = Float(velocity) / 127 * 0.1
      case 0xB0 where key == 120 || key >= 123: silence()
      default: break
      }
    default: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let left = slice.output(channel: 0)
    let right = slice.output(channel: 1)
    var frame = 0
    while frame < slice.frameCount {
      left[frame] = 0
      frame += 1
    }
    var key = 0
    while key < 128 {
      if levels[key] > 0 { add(key, to: left, count: slice.frameCount) }
      key += 1
    }
    frame = 0
    while frame < slice.frameCount {
      right[frame] = left[frame]
      frame += 1
    }
  }

  @_noLocks @_noAllocation
  private mutating func add(_ key: Int, to output: UnsafeMutablePointer<Float>, count: Int) {
    var phase = phases[key]
    var frame = 0
    while frame < count {
      output[frame] += levels[key] * (abs(phase * 4 - 2) - 1)
      phase += steps[key]
      if phase >= 1 { phase -= 1 }
      frame += 1
    }
    phases[key] = phase
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) { chain.publishReadings() }

  @_noLocks @_noAllocation
  mutating func reset() {
    silence()
    var key = 0
    while key < 128 {
      phases[key] = 0
      key += 1
    }
    chain.reset()
  }

  @_noLocks @_noAllocation
  private mutating func silence() {
    var key = 0
    while key < 128 {
      levels[key] = 0
      key += 1
    }
  }
}

@_noLocks @_noAllocation
func organRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(OrganKernel.self, context, call)
}

@_noLocks @_noAllocation
func organReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(OrganKernel.self, context)
}
