// Values and MIDI from control threads arrive on their frame, or the caller gets the reason.

import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender

@Suite struct SchedulingTests {
  let unit: GainUnit
  let ones: DirectHost.Busses = [[[Float](repeating: 1, count: 512)]]

  init() throws { unit = try GainUnit() }

  private func host() throws -> DirectHost {
    try unit.allocateRenderResources()
    return try DirectHost(unit)
  }

  @Test func aSteppedParameterTakesEffectOnItsFrame() throws {
    let host = try host()
    try unit.scheduleParameter(GainAddress.gain, value: 2, at: .frame(70))
    try unit.scheduleParameter(GainAddress.gain, value: 99, at: .frame(80))
    #expect(try host.render(64, inputs: ones)[0][0] == [Float](repeating: 1, count: 64))
    let second = try host.render(64, inputs: ones)[0][0]
    #expect(second[..<6].allSatisfy { $0 == 1 })
    #expect(second[6..<16].allSatisfy { $0 == 2 })
    #expect(second[16...].allSatisfy { $0 == 4 })
  }

  @Test func theValueReadBackIsTheOneThatSounds() throws {
    let host = try host()
    try unit.scheduleParameter(GainAddress.gain, value: 3, rampFrames: 128)
    #expect(unit.gain.value == 1)
    let output = try host.render(64, inputs: ones)[0][0]
    #expect(unit.gain.value == output[63])
    #expect(abs(unit.gain.value - 2) < 1e-5)
    _ = try host.render(64)
    #expect(unit.gain.value == 3)
    #expect(unit.parameterTree.parameter(keyPath: "meter")?.value == 3)
  }

  @Test func aPlainValueSoundsFromTheNextCycleOnAndReadsBackAtOnce() throws {
    let host = try host()
    unit.gain.value = 2
    #expect(unit.gain.value == 2)
    #expect(try host.render(8, inputs: ones)[0][0] == [Float](repeating: 2, count: 8))
    #expect(unit.gain.value == 2)
  }

  @Test func valuesSetWithoutResourcesOrWhileAllocatingAreNotLost() throws {
    unit.gain.value = 3
    unit.duringAllocation = { $0.offset.value = 0.5 }
    let host = try host()
    #expect(try host.render(4, inputs: ones)[0][0] == [3.5, 3.5, 3.5, 3.5])
  }

  @Test func nonRealTimeParametersGoToTheUnitAlone() throws {
    let mode = try #require(unit.parameterTree.parameter(keyPath: "mode"))
    _ = try host()
    try mode.setValue(1)
    #expect(mode.string() == "Hard")
    #expect(throws: ParameterError.refused(keyPath: "mode", reason: "that mode is broken")) {
      try mode.setValue(2)
    }
    #expect(mode.value == 1)
    #expect(throws: ScheduleError.notSchedulable(keyPath: "mode")) {
      try unit.scheduleParameter(GainAddress.mode, value: 0)
    }
  }

  @Test func aFullQueueIsAnErrorAndChangesNothing() throws {
    let host = try host()
    for _ in 0..<64 { try unit.gain.setValue(2) }
    #expect(throws: ParameterError.queueFull(keyPath: "amp.gain")) { try unit.gain.setValue(3) }
    #expect(unit.gain.value == 2)
    unit.offset.value = 1
    #expect(unit.offset.value == 0)
    #expect(unit.parameterTree.refusedValueCount == 1)
    #expect(throws: ScheduleError.queueFull(acceptedBytes: 0)) {
      try unit.scheduleParameter(GainAddress.gain, value: 3)
    }
    _ = try host.render(8)
    try unit.gain.setValue(3)
    try unit.scheduleMIDI([0x90, 60, 1])
  }

  @Test func midiArrivesOnItsFrameWithItsCable() throws {
    let host = try host()
    try unit.scheduleMIDI([0x90, 5, 100, 0xC0, 7], at: .frame(3))
    try unit.scheduleMIDI([0x90, 9, 100])
    let output = try host.render(
      8, midi: [DirectHost.MIDI(offset: 6, [0x80, 2, 0])])[0][0]
    #expect(output == [9, 9, 9, 7, 7, 7, 2, 2])
    #expect(host.midiOutput.map(\.offset) == [0, 3, 3, 6])
    #expect(host.midiOutput[2].bytes == [0xC0, 7])
  }

  @Test func faultyEventsAreRefused() throws {
    #expect(throws: ScheduleError.notAllocated) {
      try unit.scheduleParameter(GainAddress.gain, value: 1)
    }
    #expect(throws: ScheduleError.notAllocated) { try unit.scheduleMIDI([0xF8]) }
    let host = try host()
    let cases: [([UInt8])] = [
      [], [60, 1], [0x90, 60], [0x90, 60, 128], [0x90, 60, 1, 61, 1], [0xF0, 1],
      [0xF0, 0x80, 0xF7],
      [0xF7], [0xF4], [0x90, 60, 1, 0xF0, 1, 0xF7], [0xC0, 1, 0x90],
    ]
    for bytes in cases {
      #expect(throws: ScheduleError.malformedMIDI(bytes)) { try unit.scheduleMIDI(bytes) }
    }
    #expect(throws: ScheduleError.unknownCable(1, cables: 1)) {
      try unit.scheduleMIDI([0xF8], cable: 1)
    }
    let long = [0xF0] + [UInt8](repeating: 1, count: 300) + [0xF7]
    #expect(throws: ScheduleError.systemExclusiveTooLong(302, maximum: 256)) {
      try unit.scheduleMIDI(long)
    }
    #expect(throws: ScheduleError.unknownParameter(11)) { try unit.scheduleParameter(11, value: 0) }
    #expect(throws: ScheduleError.notANumber(keyPath: "amp.gain")) {
      try unit.scheduleParameter(GainAddress.gain, value: .nan)
    }
    #expect(throws: ScheduleError.notRampable(keyPath: "wide")) {
      try unit.scheduleParameter(GainAddress.wide, value: 1, rampFrames: 1)
    }
    #expect(throws: ScheduleError.rampTooLong(-1)) {
      try unit.scheduleParameter(GainAddress.gain, value: 1, rampFrames: -1)
    }
    #expect(throws: ScheduleError.notSchedulable(keyPath: "meter")) {
      try unit.scheduleParameter(GainAddress.meter, value: 1)
    }
    _ = try host.render(4)
    #expect(host.midiOutput.isEmpty)
  }

  @Test func bypassAndResetReachTheKernel() throws {
    let host = try host()
    unit.gain.value = 4
    try unit.scheduleMIDI([0x90, 9, 1])
    #expect(try host.render(2, inputs: ones)[0][0] == [13, 13])
    unit.reset()
    #expect(try host.render(2, inputs: ones)[0][0] == [4, 4])
    unit.shouldBypassEffect = true
    // The bypass fades in.
    for _ in 0..<20 { _ = try host.render(48, inputs: ones) }
    #expect(try host.render(2, inputs: ones)[0][0] == [1, 1])
  }

  @Test func eventsDoNotOutliveTheirResources() throws {
    var host: DirectHost? = try host()
    try unit.scheduleMIDI([0xF0, 1, 0xF7], at: .frame(50))
    try unit.scheduleParameter(GainAddress.gain, value: 4, at: .frame(50))
    _ = try host?.render(4)
    host = nil
    try unit.deallocateRenderResources()
    try unit.allocateRenderResources()
    let next = try DirectHost(unit)
    #expect(try next.render(64, inputs: ones)[0][0] == [Float](repeating: 1, count: 64))
  }

  @Test func setterThreadsAndTheRenderThreadAgreeInTheEnd() async throws {
    let unit = try GainUnit(eventCapacity: 4096)
    try unit.allocateRenderResources()
    let setterCount = ThreadSanitizer.understandsWaiting ? 3 : 1
    let setters = Task {
      await withTaskGroup(of: Void.self) { tasks in
        for thread in 0..<setterCount {
          tasks.addTask {
            for step in 0..<300 {
              // A full queue is no fault here: both sides have to agree afterwards.
              try? unit.gain.setValue(Float((thread + step) % 5))
              try? unit.scheduleParameter(GainAddress.offset, value: 0.5, rampFrames: step % 3)
              _ = unit.fullState
            }
          }
        }
      }
    }
    let host = try DirectHost(unit)
    for _ in 0..<500 { _ = try host.render(16) }
    await setters.value
    let output = try host.render(16, inputs: ones)[0][0]
    let last = try host.render(1, inputs: ones)[0][0][0]
    #expect(output[15] == last)
    #expect(last == unit.gain.value + unit.offset.value)
  }
}
