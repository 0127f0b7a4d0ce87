// The tone generator's render side.

import DSP
import Realtime
import UnitRender

/// Plays one tone on all channels, controlled by its parameters or by MIDI keys, which set the same
/// parameters.
struct ToneKernel: RenderKernel, ~Copyable {
  private var tone: ToneGenerator
  private var held = HeldTones()
  private let values: ParameterValues
  /// The bypass fade: 1 is heard, 0 bypassed.
  private var heard: LinearRamp
  private var isBypassed: Bool

  /// - Parameters:
  ///   - values: the parameters' values by address.
  ///   - isBypassed: whether the kernel starts bypassed, without a fade.
  /// - Thread: [control]
  init(
    sampleRate: Double, settings: ToneGenerator.Settings, values: ParameterValues,
    isBypassed: Bool
  ) {
    tone = ToneGenerator(sampleRate: sampleRate, settings: settings)
    self.values = values
    self.isBypassed = isBypassed
    heard = LinearRamp(value: isBypassed ? 0 : 1, sampleRate: sampleRate)
    if values[Self.playing] >= 0.5 { tone.play() }
  }

  deinit { held.deallocate() }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    let bypass = call.call.pointee.flags & UInt32(kRenderCallBypass) != 0
    if bypass == isBypassed { return }
    isBypassed = bypass
    heard.start(to: bypass ? 0 : 1, overFrames: 0)
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?:
      set(event.pointee.address, event.pointee.value, event.pointee.rampFrames)
    case .midi?: handle(event.pointee.message)
    default: break
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let first = slice.output(channel: 0)
    tone.process(first, frameCount: slice.frameCount)
    if heard.isRamping || heard.value == 0 {
      var frame = 0
      while frame < slice.frameCount {
        first[frame] = first[frame] * Float(heard.next()) + 0
        frame &+= 1
      }
    }
    var channel = 1
    while channel < slice.call.output(0).channelCount {
      Samples.copy(first, to: slice.output(channel: channel), count: slice.frameCount)
      channel &+= 1
    }
  }

  @_noLocks @_noAllocation
  mutating func end(_ call: RenderCallView) {
    if let tuning = tone.tuning.takeReading() { values[Self.tuning] = Float(tuning) }
    if let fine = tone.fine.takeReading() { values[Self.fine] = Float(fine) }
    if let frequency = tone.frequency.takeReading() { values[Self.frequency] = Float(frequency) }
    if let amplitude = tone.amplitude.takeReading() { values[Self.amplitude] = Float(amplitude) }
  }

  /// Silences the tone and clears `playing`, so that it does not restart by itself.
  @_noLocks @_noAllocation
  mutating func reset() {
    held.releaseAll()
    tone.silence()
    tone.setBend(semitones: 0)
    values[Self.playing] = 0
  }

  // MARK: Parameters

  static var playing: Int { @_noLocks @_noAllocation get { 0 } }
  static var pitch: Int { @_noLocks @_noAllocation get { 1 } }
  static var key: Int { @_noLocks @_noAllocation get { 2 } }
  static var tuning: Int { @_noLocks @_noAllocation get { 3 } }
  static var fine: Int { @_noLocks @_noAllocation get { 4 } }
  static var frequency: Int { @_noLocks @_noAllocation get { 5 } }
  static var amplitude: Int { @_noLocks @_noAllocation get { 7 } }

  @_noLocks @_noAllocation
  private mutating func set(_ address: UInt64, _ given: Float, _ rampFrames: UInt32) {
    let value: Float
    var ramps = false
    switch address {
    case 0:
      value = given >= 0.5 ? 1 : 0
      held.releaseAll()
      if value == 1 { tone.play() } else { tone.stop() }
    case 1:
      value = given >= 0.5 ? 1 : 0
      tone.setSource(value == 1 ? .frequency : .key)
    case 2:
      value = Self.whole(given)
      tone.setKey(Int(saturating: Double(value)))
    case 3:
      value = given
      tone.tuning.start(to: Double(value), overFrames: rampFrames)
      ramps = true
    case 4:
      value = given
      tone.fine.start(to: Double(value), overFrames: rampFrames)
      ramps = true
    case 5:
      value = given
      tone.frequency.start(to: Double(value), overFrames: rampFrames)
      ramps = true
    case 6:
      value = Self.whole(given)
      tone.setWave(toneWave(value))
    case 7:
      value = given
      tone.amplitude.start(to: Double(value), overFrames: rampFrames)
      ramps = true
    case 8:
      value = given
      tone.setFadeIn(milliseconds: Double(value))
    case 9:
      value = given
      tone.setFadeOut(milliseconds: Double(value))
    case 10:
      value = given >= 0.5 ? 1 : 0
      tone.fadesOutEarly = value == 1
    default: return
    }
    // A set value reads back as set, a ramping one as it sounds; see `end`.
    if rampFrames == 0 || !ramps { values[Int(truncatingIfNeeded: address)] = value }
  }

  @_noLocks @_noAllocation
  private static func whole(_ value: Float) -> Float {
    Float(Int32(saturating: Double(value + 0.5)))
  }

  // MARK: MIDI

  @_noLocks @_noAllocation
  private mutating func handle(_ message: ShortMessage) {
    switch message.status & 0xF0 {
    case 0x90 where message.value > 0: press(message.number)
    case 0x80, 0x90: release(message.number)
    case 0xE0: tone.setBend(semitones: Double(message.bend &- 8192) / 4096)
    case 0xB0:
      switch message.number {
      case 120:
        held.releaseAll()
        tone.silence()
        values[Self.playing] = 0
      case 121: tone.setBend(semitones: 0)
      case 123...127:
        if held.count == 0 { return }
        held.releaseAll()
        tone.stop()
        values[Self.playing] = 0
      default: break
      }
    default: break
    }
  }

  @_noLocks @_noAllocation
  private mutating func press(_ key: Int) {
    held.press(key)
    sound(key)
    tone.play()
    values[Self.playing] = 1
  }

  @_noLocks @_noAllocation
  private mutating func release(_ key: Int) {
    guard let sounding = held.last else { return }
    held.release(key)
    if let last = held.last {
      if last != sounding { sound(last) }
    } else if key == sounding {
      tone.stop()
      values[Self.playing] = 0
    }
  }

  @_noLocks @_noAllocation
  private mutating func sound(_ key: Int) {
    tone.setSource(.key)
    tone.setKey(key)
    values[Self.pitch] = 0
    values[Self.key] = Float(key)
  }
}

/// Returns the wave for a value of the parameter.
@_noLocks @_noAllocation
func toneWave(_ value: Float) -> ToneWave {
  value < 0.5 ? .sine : value < 1.5 ? .triangle : value < 2.5 ? .saw : .square
}

@_noLocks @_noAllocation
func toneRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(ToneKernel.self, context, call)
}

@_noLocks @_noAllocation
func toneReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(ToneKernel.self, context)
}
