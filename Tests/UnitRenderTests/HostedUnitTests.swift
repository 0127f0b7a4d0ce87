// A hosted unit's promises: exact frames, written outputs, nothing lost.

import Realtime
import TestSupport
import Testing
import UnitRender

@Suite struct HostedUnitTests {
  @Test func eventsTakeEffectOnTheirOwnFrameAtAnyPeriod() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<50 {
      let length = 2000
      var expected = [Float](repeating: 1, count: length)
      let unit = StepUnit(maximumFrames: 512)
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let frame = Int.random(in: 0..<length, using: &random)
        let value = Float.random(in: -4...4, using: &random)
        #expect(
          unit.inlet.send(.parameter(address: 0, value: value, at: FrameTime(frame))) == .accepted)
      }
      // Later events of one frame win, so the order of arrival defines the expectation.
      unit.applyWaiting(to: &expected)
      var output: [Float] = []
      while output.count < length {
        let period = min(Int.random(in: 1...512, using: &random), length - output.count)
        let result = unit.cycle(
          at: FrameTime(output.count), [Float](repeating: 1, count: period))
        #expect(result.status == RenderStatus.ok)
        output += result.output
      }
      #expect(output == expected)
      #expect(unit.switches.value(of: .lateEvents) == 0)
    }
  }

  @Test func eventsOfOneFrameKeepTheirOrder() {
    let unit = StepUnit(maximumFrames: 16)
    #expect(unit.inlet.send(.parameter(address: 0, value: 2, at: 4)) == .accepted)
    #expect(unit.inlet.send(.parameter(address: 0, value: 3, at: 4)) == .accepted)
    let output = unit.cycle(at: 0, [Float](repeating: 1, count: 8)).output
    #expect(output == [1, 1, 1, 1, 3, 3, 3, 3])
  }

  @Test func midiFromAPortAndFromTheControlSideMergeByFrame() {
    let unit = StepUnit(maximumFrames: 16)
    #expect(unit.inlet.sendMIDI([0x90, 5, 1], cable: 0, at: 2) == .accepted)
    let output = unit.cycle(
      at: 0, [0, 0, 0, 0, 0, 0],
      midi: [.midi(0x90, 3, 1, at: 1), .midi(0x90, 7, 1, at: 4)]
    ).output
    #expect(output == [0, 3, 5, 5, 7, 7])
    #expect(unit.hosted.midiOutput.count == 3)
  }

  @Test func aLateEventTakesEffectAtOnceAndIsCounted() {
    let unit = StepUnit(maximumFrames: 16)
    #expect(unit.inlet.send(.parameter(address: 0, value: 2, at: 3)) == .accepted)
    #expect(unit.cycle(at: 100, [1, 1]).output == [2, 2])
    #expect(unit.switches.value(of: .lateEvents) == 1)
    #expect(
      unit.inlet.send(.parameter(address: 0, value: 5, at: RenderEvent.immediate)) == .accepted)
    #expect(unit.cycle(at: 102, [1, 1]).output == [5, 5])
    #expect(unit.switches.value(of: .lateEvents) == 1)
  }

  @Test func tooManyFramesIsAnErrorAndSilenceAsFarAsTheUnitsMemoryGoes() {
    let unit = StepUnit(maximumFrames: 4)
    let result = unit.cycle(at: 0, [1, 1, 1, 1, 1])
    #expect(result.status == RenderStatus.tooManyFrames)
    #expect(result.output.prefix(4) == [0, 0, 0, 0])
    #expect(unit.switches.value(of: .failedCycles) == 1)
  }

  @Test func notANumberNeverLeavesAUnit() {
    let unit = StepUnit(maximumFrames: 4)
    #expect(unit.cycle(at: 0, [1, .nan, 1]).output == [0, 0, 0])
    #expect(unit.cycle(at: 3, [1, .infinity, 1]).output == [0, 0, 0])
    #expect(unit.switches.value(of: .nonFiniteCycles) == 2)
    let kernel = unit.context.pointee.kernel(as: StepKernel.self)
    #expect(kernel.pointee.resets == 2)
  }

  @Test func aUnitThatStartsBypassedPassesItsInput() {
    let unit = StepUnit(maximumFrames: 4)
    #expect(unit.inlet.send(.parameter(address: 0, value: 9, at: 0)) == .accepted)
    unit.switches.isBypassed = true
    #expect(unit.cycle(at: 0, [1, 2, 3]).output == [1, 2, 3])
  }

  /// The unit's input rises after its reset, before the unit is heard.
  @Test(arguments: [1, 13, 64, 1000])
  func aBypassFadesFromItsFrameOnAtAnyPeriod(period: Int) {
    let unit = StepUnit(maximumFrames: 1000)
    #expect(unit.inlet.send(.parameter(address: 0, value: 3, at: 0)) == .accepted)
    #expect(unit.inlet.send(.bypass(true, at: 333)) == .accepted)
    #expect(unit.inlet.send(.bypass(false, at: 2_777)) == .accepted)
    var output: [Float] = []
    while output.count < 6_000 {
      let count = min(period, 6_000 - output.count)
      output += unit.cycle(at: FrameTime(output.count), [Float](repeating: 1, count: count)).output
    }
    for (frame, sample) in output.enumerated() {
      let wet = frame < 2_777 ? max(0, 1_292 - frame) : frame - 3_256
      let share = Float(max(0, min(wet, 960))) / 960
      #expect(abs(sample - (1 + 2 * share)) < 1e-6, "frame \(frame)")
      if wet >= 960 || wet <= 0 { #expect(sample == (wet <= 0 ? 1 : 3)) }
    }
    let kernel = unit.context.pointee.kernel(as: StepKernel.self)
    #expect(kernel.pointee.resets == 1)
  }

  @Test func outputsWithoutMemoryGetTheUnitsOwn() {
    let unit = StepUnit(maximumFrames: 4)
    var input: [Float] = [1, 2]
    input.withUnsafeMutableBufferPointer { input in
      unit.hosted.beginCycle(at: 0, frameCount: 2)
      unit.hosted.call.input(0)[0] = input.baseAddress
      unit.hosted.call.output(0)[0] = nil
      #expect(unit.hosted.render(at: 0, frameCount: 2) == RenderStatus.ok)
      let own = unit.hosted.call.output(0)[0]
      #expect(own?[0] == 1)
      #expect(own?[1] == 2)
    }
  }

  @Test func anInputWithoutSourceIsAnErrorAndSilence() {
    let unit = StepUnit(maximumFrames: 4)
    var output: [Float] = [7, 7]
    output.withUnsafeMutableBufferPointer { output in
      unit.hosted.beginCycle(at: 0, frameCount: 2)
      unit.hosted.call.input(0)[0] = nil
      unit.hosted.call.output(0)[0] = output.baseAddress
      #expect(unit.hosted.render(at: 0, frameCount: 2) == RenderStatus.noConnection)
    }
    #expect(output == [0, 0])
  }

  @Test func aFullInletRefusesInsteadOfLosing() {
    let unit = StepUnit(maximumFrames: 4)
    for index in 0..<unit.inlet.capacity {
      #expect(
        unit.inlet.send(.parameter(address: 0, value: Float(index), at: 0)) == .accepted)
    }
    #expect(unit.inlet.send(.parameter(address: 0, value: -1, at: 0)) == .full)
    #expect(
      unit.cycle(at: 0, [1]).output == [Float(unit.inlet.capacity - 1)])
    #expect(unit.inlet.send(.parameter(address: 0, value: -1, at: 0)) == .accepted)
    #expect(unit.switches.value(of: .droppedEvents) == 0)
  }

  @Test func eventsForFramesFarAheadLeaveImmediateOnesTheirRoomAndCanBeDiscarded() {
    let unit = StepUnit(maximumFrames: 4)
    for _ in 0..<unit.inlet.capacity {
      #expect(unit.inlet.send(.parameter(address: 0, value: 9, at: 4000)) == .accepted)
    }
    #expect(unit.inlet.send(.parameter(address: 0, value: 9, at: 4000)) == .full)
    #expect(!unit.inlet.hasRoom(forEvents: 1))
    let now = RenderEvent.immediate
    for cycle in 0..<3 {
      let value = Float(cycle + 1)
      for _ in 0..<unit.inlet.capacity {
        #expect(unit.inlet.send(.parameter(address: 0, value: value, at: now)) == .accepted)
      }
      #expect(unit.cycle(at: FrameTime(cycle), [1]).output == [value])
    }
    // Events sent after the discarding stay, and so do due ones.
    unit.inlet.discardTimed()
    #expect(unit.inlet.send(.parameter(address: 0, value: 5, at: now)) == .accepted)
    #expect(unit.cycle(at: 3, [1]).output == [5])
    #expect(unit.inlet.hasRoom(forEvents: unit.inlet.capacity))
    #expect(unit.inlet.send(.parameter(address: 0, value: 7, at: 5)) == .accepted)
    #expect(unit.cycle(at: 4, [1]).output == [5])
    #expect(unit.cycle(at: 5, [1]).output == [7])
    #expect(unit.cycle(at: 4000, [1]).output == [7])
    #expect(unit.switches.value(of: .droppedEvents) == 0)
  }

  @Test func systemExclusiveOfAnyLengthThatFitsArrivesWhole() {
    let unit = StepUnit(maximumFrames: 4)
    let message: [UInt8] = [0xF0] + (0..<2000).map { UInt8($0 % 128) } + [0xF7]
    #expect(unit.inlet.sendMIDI(message, cable: 0, at: 1) == .accepted)
    #expect(unit.inlet.sendMIDI(message, cable: 0, at: 1) == .accepted)
    #expect(unit.inlet.sendMIDI(message, cable: 0, at: 1) == .full)
    #expect(unit.inlet.sendMIDI([0xF0, 1, 0x90, 0xF7], cable: 0, at: 1) == .malformed)
    #expect(unit.inlet.sendMIDI([0x90, 1], cable: 0, at: 1) == .malformed)
    unit.hosted.beginCycle(at: 0, frameCount: 4)
    let list = unit.hosted.events
    let event = list.first!
    #expect(event.pointee.eventKind == .systemExclusive)
    let bytes = UnsafeBufferPointer(
      start: list.systemExclusiveBytes(of: event), count: Int(event.pointee.length))
    #expect(Array(bytes) == message)
    #expect(list.count == 2)
  }
}

extension StepUnit {
  /// Applies the values of this unit's waiting events to `expected`, a signal of ones.
  func applyWaiting(to expected: inout [Float]) {
    let list = RenderEventList.allocate(events: 512, payload: 0)
    defer { list.deallocate() }
    _ = inlet.reader.merge(into: list, from: 0, to: .max)
    var event = list.first
    while let current = event {
      for frame in Int(current.pointee.frame)..<expected.count {
        expected[frame] = current.pointee.value
      }
      _ = inlet.send(current.pointee)
      event = list.next(after: current)
    }
  }
}
