// A sampler with a generated SoundFont, rendered cycle by cycle.

import Foundation
import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender

@testable import FluidSynthPool
@testable import SamplerUnit

/// Frequencies of the rig's fonts at the root key, 60.
enum Pitch {
  static let sine = 480.0
}

final class SamplerRig {
  let directory: TemporaryDirectory
  let unit: SamplerUnit
  private var hosting: UnitHosting?
  private var frame: FrameTime = 0
  private var faultCount = FluidSynthLibrary.strayFaultCount
  let font: URL

  init(
    _ stages: [MIDIStageKind] = [], sampleRate: Double = 48_000, maximumFrames: Int = 4096,
    font: SoundFontMaker = .rig, outputs: SamplerOutputLayout = .stereo,
    channels: SamplerChannelSetup = SamplerChannelSetup()
  ) throws {
    directory = try TemporaryDirectory()
    self.font = try font.write(to: directory.file("rig.sf2"))
    unit = try SamplerUnit(midiStages: stages, outputs: outputs, channels: channels)
    // Many rigs exist at the same time, and a synth takes a megabyte.
    try unit.parameterTree.parameter(keyPath: "synths")!.setValue(32)
    try unit.setMaximumFramesToRender(maximumFrames)
    for bus in unit.outputBusses {
      try bus.setFormat(AudioFormat(sampleRate: sampleRate, channelCount: 2))
    }
  }

  /// Returns a rig with a preset of its font, ready to render.
  static func playing(
    bank: Int = 0, program: Int = 0, _ stages: [MIDIStageKind] = [],
    font: SoundFontMaker = .rig, outputs: SamplerOutputLayout = .stereo,
    channels: SamplerChannelSetup = SamplerChannelSetup()
  ) async throws -> SamplerRig {
    let rig = try SamplerRig(stages, font: font, outputs: outputs, channels: channels)
    try await rig.unit.load(soundFont: rig.font, bank: bank, program: program)
    try rig.start()
    return rig
  }

  func start() throws {
    try unit.allocateRenderResources()
    hosting = try unit.makeHosting()
  }

  func stop() throws {
    hosting = nil
    try unit.deallocateRenderResources()
  }

  /// Renders some frames, with messages by frame; returns the left and right samples.
  func render(
    _ frames: Int, _ midi: [(Int, [UInt8])] = [], period: Int = 4096
  ) throws -> (left: [Float], right: [Float]) {
    let busses = try renderBusses(frames, midi, period: period)
    return (busses[0], busses[1])
  }

  /// Renders as `render`, and returns left and right of each output in turn.
  func renderBusses(
    _ frames: Int, _ midi: [(Int, [UInt8])] = [], period: Int = 4096
  ) throws -> [[Float]] {
    var outputs = [[Float]](repeating: [], count: 2 * unit.outputBusses.count)
    let cycles = Dictionary(grouping: midi.filter { $0.0 < frames }) { $0.0 / period }
    for start in stride(from: 0, to: frames, by: period) {
      let count = min(period, frames - start)
      let call = try cycle(count, cycles[start / period, default: []].map { ($0.0 - start, $0.1) })
      for side in outputs.indices {
        outputs[side] += call.output(side / 2)[side % 2]!.samples(count)
      }
    }
    return outputs
  }

  /// Renders one cycle as the render thread does. RealtimeSanitizer checks it if it is linked.
  private func cycle(_ count: Int, _ midi: [(Int, [UInt8])]) throws -> RenderCallView {
    guard let hosted = hosting?.hosted else { throw AudioUnitError.renderResourcesNotAllocated }
    for bus in 0..<unit.outputBusses.count {
      hosted.call.output(bus)[0] = nil
      hosted.call.output(bus)[1] = nil
    }
    realtimeContextEnter()
    hosted.beginCycle(at: frame, frameCount: count)
    realtimeContextExit()
    for (offset, bytes) in midi {
      _ = hosted.events.insertMIDI(bytes, count: bytes.count, at: frame + FrameTime(offset))
    }
    realtimeContextEnter()
    let status = hosted.render(at: frame, frameCount: count)
    hosted.endCycle()
    realtimeContextExit()
    frame += FrameTime(count)
    // FluidSynth's messages on a render thread are faults, in whichever test.
    let faults = FluidSynthLibrary.strayFaultCount
    #expect(faults == faultCount, "\(FluidSynthLibrary.firstStrayFault)")
    faultCount = faults
    guard status == RenderStatus.ok else { throw RenderFailure(status: status) }
    return hosted.call
  }

  /// Plays messages on the first frame of a cycle; returns the left samples.
  func play(_ midi: [UInt8]..., frames: Int = 4096) throws -> [Float] {
    try render(frames, midi.map { (0, $0) }).left
  }

  /// Schedules a parameter by key path; `after` counts frames from now.
  func schedule(_ keyPath: String, _ value: Float, ramp: Int = 0, after frames: Int = 0) throws {
    try unit.scheduleParameter(
      unit.parameterTree.parameter(keyPath: keyPath)!.address, value: value,
      at: .frame(frame + FrameTime(frames)), rampFrames: ramp)
  }

  subscript(keyPath: String) -> Float {
    get { unit.parameterTree.parameter(keyPath: keyPath)!.value }
    set { unit.parameterTree.parameter(keyPath: keyPath)!.value = newValue }
  }
}

extension UnsafeMutablePointer<Float> {
  fileprivate func samples(_ count: Int) -> [Float] {
    Array(UnsafeBufferPointer(start: self, count: count))
  }
}

/// The frequency of a steady tone in hertz, from the zero crossings of its last part; nil for
/// silence.
func frequency(of signal: [Float], sampleRate: Double = 48_000) -> Double? {
  let signal = Array(signal.suffix(signal.count * 3 / 4))
  var crossings: [Double] = []
  for index in 1..<signal.count where signal[index - 1] < 0 && signal[index] >= 0 {
    let step = signal[index] - signal[index - 1]
    crossings.append(Double(index - 1) + Double(-signal[index - 1] / step))
  }
  guard crossings.count > 2 else { return nil }
  return sampleRate * Double(crossings.count - 1) / (crossings.last! - crossings[0])
}

/// The pitch of a tone in cents above another frequency.
func cents(_ signal: [Float], above hertz: Double) -> Double {
  frequency(of: signal).map { 1200 * log2($0 / hertz) } ?? .nan
}
