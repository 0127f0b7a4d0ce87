// Frames on which requests of the control side reach the render side.

import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct ReachedFrameTests {
  @Test func theFrameOfABypassIsThatOnWhichItIsHeard() {
    let unit = StepUnit(maximumFrames: 4096)
    #expect(unit.inlet.send(.parameter(address: 0, value: 2, at: 0)) == .accepted)
    var random = SeededRandom(seed: 11)
    var output: [Float] = []
    var told = 0
    while output.count < 400_000 {
      unit.switches.isBypassed.toggle()
      let request = unit.switches.bypassRequest
      #expect(unit.switches.frame(ofBypass: request) == nil)
      // Long enough for a fade.
      let (start, period) = (output.count, Int.random(in: 1_500...4_096, using: &random))
      let input = [Float](repeating: 1, count: period)
      output += unit.cycle(at: FrameTime(start), input).output
      told += 1
      #expect(unit.switches.frame(ofBypass: request) == FrameTime(start))
      guard start > 0 else { continue }
      // After a bypass the unit's input rises for 480 frames before it is heard.
      let first = start + (unit.switches.isBypassed ? 0 : 480)
      #expect(output[start - 1] == output[first - 1] && output[first] != output[first - 1])
    }
    #expect(told > 100)
  }

  /// A request replaced before the next cycle never took effect.
  @Test func replacedRequestsHaveNoFrame() {
    let unit = StepUnit(maximumFrames: 8)
    unit.switches.isBypassed = true
    let first = unit.switches.bypassRequest
    unit.switches.isBypassed = true
    let second = unit.switches.bypassRequest
    unit.switches.requestReset()
    let reset = unit.switches.resetRequest
    unit.switches.requestReset()
    _ = unit.cycle(at: 40, [1])
    #expect(unit.switches.frame(ofBypass: first) == nil)
    #expect(unit.switches.frame(ofBypass: second) == 40)
    #expect(unit.switches.frame(ofReset: reset) == nil)
    #expect(unit.switches.frame(ofReset: unit.switches.resetRequest) == 40)
    let kernel = unit.context.pointee.kernel(as: StepKernel.self)
    #expect(kernel.pointee.resets == 1)
    _ = unit.cycle(at: 41, [1])
    #expect(unit.switches.frame(ofReset: unit.switches.resetRequest) == 40)
    #expect(kernel.pointee.resets == 1)
  }

  @Test func droppedEventsHaveNoFrameAndAreDone() {
    let unit = StepUnit(maximumFrames: 8)
    func send() -> Int {
      #expect(unit.inlet.send(.parameter(address: 0, value: 2, at: 0)) == .accepted)
      return unit.inlet.sentCount
    }
    let first = send()
    #expect(unit.inlet.doneCount == 0)
    unit.inlet.discardAll()
    #expect(unit.inlet.doneCount == first)
    #expect(unit.inlet.frame(ofEvent: first) == nil)
    let second = send()
    _ = unit.cycle(at: 7, [1])
    #expect(unit.inlet.frame(ofEvent: first) == nil)
    #expect(unit.inlet.frame(ofEvent: second) == 7)
    #expect(unit.inlet.doneCount == 2)
  }
}
