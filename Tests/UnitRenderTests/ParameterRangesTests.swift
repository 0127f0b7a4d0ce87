// Values of events, held to the ranges of their parameters.

import Realtime
import Testing
import UnitRender

@Suite struct ParameterRangesTests {
  private let unit = StepUnit(
    maximumFrames: 16,
    parameters: [
      3: ParameterLimits(0...4, ramps: true), 900: ParameterLimits(-1...1, ramps: false),
      0x4D00_0000: ParameterLimits(2...5, ramps: false),
    ])

  /// The output for an input of 1: the values that reached the kernel, each for two frames.
  private func heard(_ events: [(address: UInt64, value: Float)], at frame: FrameTime) -> [Float] {
    let events = events.enumerated().map { index, event in
      RenderEvent.parameter(
        address: event.address, value: event.value, at: frame + FrameTime(2 * index))
    }
    let (output, status) = unit.cycle(
      at: frame, [Float](repeating: 1, count: 2 * events.count), midi: events)
    #expect(status == RenderStatus.ok)
    return stride(from: 1, to: output.count, by: 2).map { output[$0] }
  }

  @Test func eachAddressHasItsOwnRange() {
    #expect(heard([(3, 9), (900, 9), (0x4D00_0000, 9)], at: 0) == [4, 1, 5])
    #expect(heard([(3, -9), (900, -9), (0x4D00_0000, -9)], at: 16) == [0, -1, 2])
    #expect(heard([(3, 0.5), (900, 0.5), (0x4D00_0000, 2.5)], at: 32) == [0.5, 0.5, 2.5])
  }

  @Test func neitherNaNNorInfinityReachesAKernel() {
    #expect(heard([(3, .nan), (900, .infinity), (900, -.infinity)], at: 0) == [0, 1, -1])
  }

  @Test func valuesOfUnknownAddressesStay() {
    #expect(heard([(0, 9), (4, -9), (901, 7), (.max, 6)], at: 0) == [9, -9, 7, 6])
  }

  /// The list has the events of the whole cycle; the second call's wait for it.
  @Test func eventsOfLaterCallsAreHeldToo() {
    let event = RenderEvent.parameter(address: 3, value: 9, at: 20)
    var input = [Float](repeating: 1, count: 16)
    var output = [Float](repeating: .nan, count: 16)
    unit.hosted.beginCycle(at: 0, frameCount: 32)
    _ = unit.hosted.events.insert(event)
    for start in [FrameTime(0), 16] {
      input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          unit.hosted.call.input(0)[0] = input.baseAddress
          unit.hosted.call.output(0)[0] = output.baseAddress
          #expect(unit.hosted.render(at: start, frameCount: 16) == RenderStatus.ok)
        }
      }
    }
    unit.hosted.endCycle()
    #expect(output == [1, 1, 1, 1] + [Float](repeating: 4, count: 12))
  }
}
