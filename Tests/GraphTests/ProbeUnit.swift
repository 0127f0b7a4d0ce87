// A unit for tests of graphs: a gain, a note's key as an offset, MIDI output, faults on demand.

import Realtime
import UnitModel
import UnitRender

/// Every output channel is (channel of input bus 0, or 0) · gain + key of the last note-on.
struct ProbeKernel: RenderKernel, ~Copyable {
  /// Additional behaviour of the kernel.
  enum Mode: UInt8 {
    case plain
    /// Sends each MIDI event on, at its frame.
    case passesMIDI
    /// Sends a note-on with the key `frame / 100 % 128` at every hundredth frame time.
    case sendsNotes
    /// Sends the same notes, but each in the call that begins 100 frames earlier or less.
    case sendsNotesAhead
    /// Fails if the first sample of a call is at least 10.
    case fails
    /// Outputs the musical context: beat, frames to the next, downbeat, flags, sample position.
    case showsContext
    /// Sends a note-on with the beat position in milliseconds as key, in each call.
    case sendsBeats
  }

  let mode: Mode
  var gain: Float = 1
  var key: Float = 0
  var sentUpTo: FrameTime = 0

  init(mode: Mode) { self.mode = mode }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    if mode == .sendsBeats {
      let key = UInt8(max(0, min(127, 1000 * call.call.pointee.musicalContext.beatPosition)))
      _ = call.midiOutput?.insert(.midi(0x90, key, 1, at: call.call.pointee.frame))
    }
    if mode != .sendsNotes && mode != .sendsNotesAhead { return }
    let start = call.call.pointee.frame
    let end = start + FrameTime(call.frameCount) + (mode == .sendsNotesAhead ? 100 : 0)
    var frame = max(start, sentUpTo)
    while frame < end {
      if frame % 100 == 0 {
        _ = call.midiOutput?.insert(.midi(0x90, UInt8(frame / 100 % 128), 1, at: frame))
      }
      frame += 1
    }
    sentUpTo = frame
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    switch event.pointee.eventKind {
    case .parameter?, .parameterRamp?: gain = event.pointee.value
    case .midi?:
      if event.pointee.bytes.0 & 0xF0 == 0x90 { key = Float(event.pointee.bytes.1) }
    default: break
    }
    if mode == .passesMIDI, event.pointee.eventKind == .midi {
      _ = call.midiOutput?.insert(event.pointee)
    }
    if mode == .passesMIDI, event.pointee.eventKind == .systemExclusive {
      _ = call.midiOutput?.insertCopy(of: event, from: list, at: event.pointee.frame)
    }
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    var bus = 0
    while bus < Int(slice.call.call.pointee.outputBusCount) {
      var channel = 0
      while channel < slice.call.output(bus).channelCount {
        let output = slice.output(bus: bus, channel: channel)
        let hasInput =
          slice.call.call.pointee.inputBusCount > 0 && channel < slice.call.input(0).channelCount
        var frame = 0
        while frame < slice.frameCount {
          let sample = hasInput ? slice.input(channel: channel)[frame] : 0
          output[frame] =
            mode == .showsContext ? context(slice.call, channel) : sample * gain + key
          frame += 1
        }
        channel += 1
      }
      bus += 1
    }
  }

  @_noLocks @_noAllocation
  func context(_ call: RenderCallView, _ channel: Int) -> Float {
    let context = call.call.pointee.musicalContext
    switch channel {
    case 0: return Float(context.beatPosition)
    case 1: return Float(context.sampleOffsetToNextBeat)
    case 2: return Float(context.measureDownbeat)
    case 3: return Float(context.transportFlags)
    default: return Float(context.samplePosition)
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() { key = 0 }
}

@_noLocks @_noAllocation
func probeRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let view = RenderCallView(call)
  if call.pointee.inputBusCount > 0, let samples = view.input(0)[0], samples[0] >= 10 {
    let context = context.assumingMemoryBound(to: KernelContext.self)
    if context.pointee.kernel(as: ProbeKernel.self).pointee.mode == .fails { return -1 }
  }
  return driveKernel(ProbeKernel.self, context, call)
}

@_noLocks @_noAllocation
func probeReset(_ context: UnsafeMutableRawPointer) { resetKernel(ProbeKernel.self, context) }

final class ProbeUnit: AudioUnit, @unchecked Sendable {
  let mode: ProbeKernel.Mode

  /// - Parameters:
  ///   - inputs: the channel count of each input bus, fixed unless `flexible`.
  ///   - outputs: the channel count of each output bus, fixed unless `flexible`.
  init(
    _ mode: ProbeKernel.Mode = .plain, type: FourCharacterCode = .musicEffect,
    inputs: [Int] = [1], outputs: [Int] = [1], flexible: Bool = false, eventCapacity: Int = 1024,
    systemExclusiveCapacity: Int = 65536
  ) throws {
    self.mode = mode
    func bus(_ type: BusType, _ channels: Int) throws -> Bus {
      try Bus(
        type, format: AudioFormat(sampleRate: 48_000, channelCount: channels),
        supportedChannelCounts: flexible ? [] : [channels])
    }
    super.init(
      componentDescription: ComponentDescription(
        type: type, subtype: "prob", manufacturer: "Test"),
      inputBusses: BusArray(.input, try inputs.map { try bus(.input, $0) }),
      outputBusses: BusArray(.output, try outputs.map { try bus(.output, $0) }),
      parameterTree: try ParameterTree(children: [
        Parameter(
          identifier: "gain", name: "Gain", address: 0, range: -100...100, defaultValue: 1)
      ]),
      eventCapacity: eventCapacity, systemExclusiveCapacity: systemExclusiveCapacity)
  }

  override var channelCapabilities: [ChannelCapability]? { [.any] }

  override var midiOutputNames: [String] {
    [.passesMIDI, .sendsNotes, .sendsNotesAhead, .sendsBeats].contains(mode) ? ["Out"] : []
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(ProbeKernel(mode: mode), for: self, render: probeRender, reset: probeReset)
  }
}
