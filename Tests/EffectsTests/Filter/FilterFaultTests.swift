// The filter with bad input, with silence, and when it is misused.

import Effects
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender
import UnitTestSupport

@Suite struct FilterFaultTests {
  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func nonFiniteInputIsSilencedCountedAndForgotten(fault: Float) throws {
    let unit = try makeFilter(channels: 2, cutoffHertz: 900, resonanceDecibels: 12)
    let host = try DirectHost(unit)
    let clean = Signal.noise(frames: 1024, seed: 1)
    _ = try host.run([clean, clean])
    var bad = Signal.noise(frames: 256, seed: 2)
    bad[100] = fault
    let silenced = try host.run([bad, clean])
    #expect(silenced.allSatisfy { $0.prefix(256).allSatisfy { $0.bitPattern == 0 } })
    #expect(unit.switches.value(of: .nonFiniteCycles) == 1)

    let expected = reference(clean, [], cutoffHertz: 900, resonanceDecibels: 12)
    let output = try host.run([clean, clean])
    #expect(firstBitDifference(output[0], expected) == nil)
    #expect(firstBitDifference(output[1], expected) == nil)
    #expect(unit.switches.value(of: .nonFiniteCycles) == 1)
  }

  @Test func afterRingingOutSilenceIsExactAndRampsGoOn() throws {
    let unit = try makeFilter(cutoffHertz: 5000, resonanceDecibels: 3)
    let host = try DirectHost(unit)
    let events = [
      FilterEvent(frame: 6000, address: FilterUnit.cutoffAddress, value: 800, rampFrames: 4000)
    ]
    try unit.schedule(events)
    let input =
      Signal.noise(frames: 1000, seed: 3) + Signal.silence(frames: 7000)
      + Signal.noise(frames: 4000, seed: 4)
    let output = try host.run([input], periods: .random(upTo: 300, seed: 5))[0]
    #expect(output[4000..<8000].allSatisfy { $0.bitPattern == 0 })
    #expect(
      firstBitDifference(
        output, reference(input, events, cutoffHertz: 5000, resonanceDecibels: 3)) == nil)
  }

  @Test func aResetEndsTheRinging() throws {
    let unit = try makeFilter(cutoffHertz: 500, resonanceDecibels: 20)
    let host = try DirectHost(unit)
    _ = try host.run([Signal.noise(frames: 512, seed: 6)])
    unit.reset()
    let silence = try host.run([Signal.silence(frames: 512)])[0]
    #expect(silence.allSatisfy { $0.bitPattern == 0 })
  }

  @Test func moreFramesThanTheMaximumAreAnErrorAndHarmNothing() throws {
    let unit = try makeFilter(cutoffHertz: 900)
    let host = try DirectHost(unit)
    #expect(throws: RenderFailure(status: RenderStatus.tooManyFrames)) {
      try host.render(1025, inputs: [[Signal.constant(1, frames: 1025)]])
    }
    #expect(unit.switches.value(of: .failedCycles) == 1)
    let input = Signal.noise(frames: 1024, seed: 7)
    let output = try host.render(1024, inputs: [[input]])[0][0]
    #expect(firstBitDifference(output, reference(input, [], cutoffHertz: 900)) == nil)
  }

  @Test func formatsAndLimitsStandWhileResourcesAreAllocated() throws {
    let unit = try makeFilter()
    let other = try AudioFormat(sampleRate: 44_100, channelCount: 1)
    #expect(throws: BusError.renderResourcesAllocated) {
      try unit.outputBusses[0].setFormat(other)
    }
    #expect(throws: BusError.renderResourcesAllocated) { try unit.inputBusses[0].setFormat(other) }
    #expect(throws: AudioUnitError.renderResourcesAllocated) {
      try unit.setMaximumFramesToRender(64)
    }
    try unit.deallocateRenderResources()
    try unit.outputBusses[0].setFormat(other)
  }

  @Test func channelCountsThatDifferAreRefused() throws {
    let unit = try FilterUnit()
    try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
    #expect(
      throws: AudioUnitError.channelsUnsupported(
        inputs: [1], outputs: [2], supported: ["as many out as in"])
    ) { try unit.allocateRenderResources() }
  }

  @Test func valuesOutOfRangeAreHeldAtItsEnds() throws {
    let input = Signal.noise(frames: 500, seed: 8)
    let unit = try makeFilter(cutoffHertz: 900)
    let hosting = try unit.makeHosting()
    var output = input
    // Events as in a list that the control side has not checked.
    output.withUnsafeMutableBufferPointer { samples in
      hosting.hosted.beginCycle(at: 0, frameCount: 500)
      for (address, value) in [(0, Float.infinity), (1, -1e9)] {
        let event = RenderEvent.parameter(
          address: UInt64(address), value: value, rampFrames: 0, at: 10)
        #expect(hosting.hosted.events.insert(event))
      }
      hosting.hosted.call.input(0)[0] = samples.baseAddress
      hosting.hosted.call.output(0)[0] = samples.baseAddress
      #expect(hosting.hosted.render(at: 0, frameCount: 500) == RenderStatus.ok)
      hosting.hosted.endCycle()
    }
    let events = [
      FilterEvent(frame: 10, address: 0, value: 20_000, rampFrames: 0),
      FilterEvent(frame: 10, address: 1, value: -20, rampFrames: 0),
    ]
    #expect(firstBitDifference(output, reference(input, events, cutoffHertz: 900)) == nil)
    #expect(unit.cutoff == 20_000)
    #expect(unit.resonance == -20)
  }
}
