// Runs the unit as a host does, and the filter itself frame by frame, to compare them.

import DSP
import Effects
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender
import UnitTestSupport

/// A parameter change of a test: `rampFrames` 0 sets the value.
struct FilterEvent {
  var frame: Int
  var address: ParameterAddress
  var value: Float
  var rampFrames: Int

  /// Sets and ramps of both parameters at random frames, some of them on one frame.
  static func random(_ count: Int, frames: Int, seed: UInt64) -> [FilterEvent] {
    var random = SeededRandom(seed: seed)
    var events: [FilterEvent] = []
    for _ in 0..<count {
      let isCutoff = Bool.random(using: &random)
      let frame = Int.random(in: 0..<frames, using: &random)
      events.append(
        FilterEvent(
          frame: Int.random(in: 0..<8, using: &random) == 0 ? events.last?.frame ?? frame : frame,
          address: isCutoff ? FilterUnit.cutoffAddress : FilterUnit.resonanceAddress,
          value: isCutoff
            ? Float.random(in: 12...20_000, using: &random)
            : Float.random(in: -20...20, using: &random),
          rampFrames: [0, 1, Int.random(in: 2...3000, using: &random)].randomElement(
            using: &random)!))
    }
    return events
  }
}

/// A unit with resources for cycles of up to 1024 frames.
func makeFilter(
  channels: Int = 1, sampleRate: Double = 48_000, cutoffHertz: Float = 20_000,
  resonanceDecibels: Float = 0
) throws -> FilterUnit {
  let unit = try FilterUnit()
  let format = try AudioFormat(sampleRate: sampleRate, channelCount: channels)
  try unit.inputBusses[0].setFormat(format)
  try unit.outputBusses[0].setFormat(format)
  try unit.setMaximumFramesToRender(1024)
  unit.cutoff = cutoffHertz
  unit.resonance = resonanceDecibels
  try unit.allocateRenderResources()
  return unit
}

extension FilterUnit {
  func schedule(_ events: [FilterEvent]) throws {
    for event in events {
      try scheduleParameter(
        event.address, value: event.value, at: .frame(FrameTime(event.frame)),
        rampFrames: event.rampFrames)
    }
  }
}

/// The expected output: the filter, driven one frame at a time, each event on its frame.
func reference(
  _ input: [Float], _ events: [FilterEvent], sampleRate: Double = 48_000,
  cutoffHertz: Float = 20_000, resonanceDecibels: Float = 0
) -> [Float] {
  var filter = ResonantLowPass(
    channelCount: 1, sampleRate: sampleRate, cutoffHertz: Double(cutoffHertz),
    resonanceDecibels: Double(resonanceDecibels))
  let byFrame = Dictionary(grouping: events, by: \.frame)
  let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1)
  defer { memory.deallocate() }
  return input.enumerated().map { frame, sample in
    for event in byFrame[frame] ?? [] {
      if event.address == FilterUnit.cutoffAddress {
        filter.cutoffHertz.start(to: Double(event.value), overFrames: UInt32(event.rampFrames))
      } else {
        filter.resonanceDecibels.start(
          to: Double(event.value), overFrames: UInt32(event.rampFrames))
      }
    }
    memory.pointee = sample
    filter.process(inputs: [UnsafePointer(memory)], outputs: [memory], offset: 0, frameCount: 1)
    return memory.pointee
  }
}
