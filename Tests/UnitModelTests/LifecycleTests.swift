// The life of a unit: formats, resources, and errors for misuse.

import Synchronization
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender

@Suite struct LifecycleTests {
  @Test func aFreshUnitHasAUv3sDefaults() throws {
    let unit = try GainUnit()
    #expect(unit.maximumFramesToRender == 512)
    #expect(!unit.renderResourcesAllocated)
    #expect(unit.componentName == "aumf/gain/Test")
    #expect(unit.latency == 0 && unit.tailTime == 0)
    #expect(!unit.shouldBypassEffect && !unit.isRenderingOffline)
    #expect(unit.midiOutputNames.isEmpty && unit.virtualMIDICableCount == 1)
    #expect(unit.currentPreset == nil)
  }

  @Test func allocatedUnitsKeepTheirFormats() throws {
    let unit = try GainUnit()
    let mono = try AudioFormat(sampleRate: 44_100, channelCount: 1)
    try unit.allocateRenderResources()
    try unit.allocateRenderResources()
    #expect(unit.renderResourcesAllocated)
    #expect(throws: BusError.renderResourcesAllocated) { try unit.inputBusses[0].setFormat(mono) }
    #expect(throws: BusError.renderResourcesAllocated) { try unit.inputBusses[0].setEnabled(false) }
    #expect(throws: AudioUnitError.renderResourcesAllocated) {
      try unit.setMaximumFramesToRender(64)
    }
    #expect(unit.inputBusses[0].format == .standard)
    try unit.deallocateRenderResources()
    try unit.deallocateRenderResources()
    try unit.inputBusses[0].setFormat(mono)
    try unit.setMaximumFramesToRender(64)
    #expect(unit.maximumFramesToRender == 64)
    for frames in [0, -1, 1 << 21] {
      #expect(throws: AudioUnitError.maximumFramesOutOfRange(frames)) {
        try unit.setMaximumFramesToRender(frames)
      }
    }
  }

  @Test func formatsAreCheckedWhenAllocating() throws {
    let unit = try GainUnit()
    try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 48_000, channelCount: 1))
    #expect(
      throws: AudioUnitError.channelsUnsupported(
        inputs: [1], outputs: [2], supported: ["as many out as in"])
    ) { try unit.allocateRenderResources() }
    try unit.inputBusses[0].setFormat(AudioFormat(sampleRate: 44_100, channelCount: 2))
    #expect(throws: AudioUnitError.sampleRatesDiffer([44_100, 48_000])) {
      try unit.allocateRenderResources()
    }
    #expect(!unit.renderResourcesAllocated)
    try unit.inputBusses[0].setFormat(.standard)
    unit.label = "bad"
    #expect(throws: AudioUnitError.failed("the label is bad")) {
      try unit.allocateRenderResources()
    }
    unit.label = "good"
    try unit.allocateRenderResources()
  }

  @Test func channelCapabilitiesFollowTheirRules() {
    func allows(_ inputs: Int, _ outputs: Int, _ given: [Int], _ made: [Int]) -> Bool {
      ChannelCapability(inputs: inputs, outputs: outputs).allows(inputs: given, outputs: made)
    }
    #expect(allows(-1, -1, [3], [3]) && !allows(-1, -1, [3], [2]))
    #expect(allows(-1, -2, [3], [2]) && allows(-2, -1, [3], [2]))
    #expect(allows(1, 2, [1], [2]) && !allows(1, 2, [2], [2]) && !allows(1, 2, [1], [1]))
    #expect(allows(2, -1, [2], [7]) && !allows(2, -1, [1], [7]))
    #expect(allows(0, 2, [], [2]) && !allows(0, 2, [2], [2]))
    #expect(allows(0, -16, [], [2, 2, 12]) && !allows(0, -16, [], [2, 2, 13]))
  }

  @Test func bussesRefuseUnsupportedFormats() throws {
    #expect(throws: BusError.sampleRateOutOfRange(999)) {
      try AudioFormat(sampleRate: 999, channelCount: 1)
    }
    #expect(throws: BusError.self) { try AudioFormat(sampleRate: .nan, channelCount: 1) }
    #expect(throws: BusError.channelCountOutOfRange(0)) {
      try AudioFormat(sampleRate: 48_000, channelCount: 0)
    }
    let bus = try Bus(.input, name: "Main", supportedChannelCounts: [1, 2])
    #expect(
      throws: BusError.channelCountUnsupported(3, bus: "\"Main\"", supported: [1, 2])
    ) { try bus.setFormat(AudioFormat(sampleRate: 48_000, channelCount: 3)) }
    #expect(throws: BusError.tooManyChannels(2, bus: "0", maximum: 1)) {
      try Bus(.output, maximumChannelCount: 1)
    }
    bus.name = "Other"
    #expect(bus.name == "Other" && bus.defaultName == "Main")
  }

  @Test func busArraysGrowWithinTheirLimits() throws {
    let fixed = BusArray(.output, [try Bus(.output)])
    #expect(throws: BusError.countNotChangeable(1)) { try fixed.setBusCount(2) }
    let array = try BusArray(.input, count: 1, maximumBusCount: 3) { (index) throws(BusError) in
      try Bus(.input, name: "In \(index + 1)")
    }
    let first = array[0]
    try array.setBusCount(3)
    #expect(array.map(\.name) == ["In 1", "In 2", "In 3"])
    #expect(array.map(\.index) == [0, 1, 2])
    #expect(array[0] === first)
    #expect(throws: BusError.countOutOfRange(4, maximum: 3)) { try array.setBusCount(4) }
    try array.setBusCount(0)
    #expect(array.count == 0)
  }

  @Test func observersOfAnArrayGetEveryChangeOfItsBusses() throws {
    let told = Mutex<[String]>([])
    let array = try BusArray(.output, count: 1, maximumBusCount: 2) { (index) throws(BusError) in
      try Bus(.output, name: "Out \(index + 1)")
    }
    let token = array.token(byAddingBusObserver: { bus, property in
      // An observer can read the changed property and the array.
      told.withLock { $0.append("\(bus.index) \(property) \(bus.name) of \(array.count)") }
    })
    try array.setBusCount(2)
    let (first, second) = (array[0], array[1])
    second.name = "Piano"
    second.name = "Piano"
    try first.setFormat(AudioFormat(sampleRate: 44_100, channelCount: 1))
    try first.setEnabled(false)
    #expect(throws: BusError.self) {
      try second.setFormat(AudioFormat(sampleRate: 44_100, channelCount: 1024).at(sampleRate: 1))
    }
    #expect(second.defaultName == "Out 2" && first.defaultName == "Out 1")
    try array.setBusCount(1)
    second.name = "Gone"
    array.removeBusObserver(token)
    first.name = "Quiet"
    #expect(
      told.withLock { $0 } == [
        "1 name Piano of 2", "0 format Out 1 of 2", "0 isEnabled Out 1 of 2",
      ])
  }

  @Test func hostedUnitsCannotLoseTheirResources() throws {
    let unit = try GainUnit()
    #expect(throws: AudioUnitError.renderResourcesNotAllocated) { try unit.makeHosting() }
    try unit.allocateRenderResources()
    var hosting: UnitHosting? = try unit.makeHosting()
    #expect(hosting?.unit === unit)
    #expect(throws: AudioUnitError.stillHosted) { try unit.deallocateRenderResources() }
    #expect(unit.renderResourcesAllocated)
    hosting = nil
    try unit.deallocateRenderResources()
  }

  @Test func callsOfTooManyFramesReturnAStatus() throws {
    let unit = try GainUnit()
    try unit.setMaximumFramesToRender(16)
    try unit.allocateRenderResources()
    let host = try DirectHost(unit)
    #expect(throws: RenderFailure(status: RenderStatus.tooManyFrames)) { try host.render(17) }
    #expect(try host.render(16)[0][0].count == 16)
  }

  @Test func observersGetChangesUntilTheyAreRemoved() throws {
    let unit = try GainUnit()
    let heard = Mutex<[AudioUnitProperty]>([])
    let token = unit.token(byAddingPropertyObserver: { property in
      heard.withLock { $0.append(property) }
    })
    unit.shouldBypassEffect = true
    try unit.allocateRenderResources()
    try unit.setCurrentPreset(Preset(number: 0, name: "Loud"))
    unit.removePropertyObserver(token)
    unit.notify(.tailTime)
    #expect(
      heard.withLock { $0 } == [
        .shouldBypassEffect, .renderResourcesAllocated, .currentPreset,
        .allParameterValues,
      ])
  }

  @Test(.enabled(if: ThreadSanitizer.understandsWaiting))
  func manyThreadsMayLeadOneLife() async throws {
    let unit = try GainUnit()
    let made = Atomic<Int>(0)
    unit.duringAllocation = { _ in made.wrappingAdd(1, ordering: .relaxed) }
    let changes = Atomic<Int>(0)
    let token = unit.token(byAddingPropertyObserver: { property in
      if property == .renderResourcesAllocated { changes.wrappingAdd(1, ordering: .relaxed) }
    })
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<4 {
        tasks.addTask {
          for step in 0..<100 {
            // Each call may find the unit in any phase: refusals are expected, damage is not.
            try? unit.allocateRenderResources()
            try? unit.scheduleParameter(GainAddress.gain, value: 1, rampFrames: 9)
            try? unit.scheduleMIDI([0xF0, 1, 2, 0xF7])
            unit.offset.value = Float(step % 2)
            if let host = try? DirectHost(unit), step == 50 { _ = host.frame }
            try? unit.setMaximumFramesToRender(64 + step)
            try? unit.deallocateRenderResources()
          }
        }
      }
    }
    unit.removePropertyObserver(token)
    try unit.deallocateRenderResources()
    #expect(made.load(ordering: .relaxed) >= 1)
    // Every allocation was ended once, except the last, which ended unobserved if it remained.
    #expect((0...1).contains(2 * made.load(ordering: .relaxed) - changes.load(ordering: .relaxed)))
    try unit.setMaximumFramesToRender(64)
    try unit.allocateRenderResources()
    #expect(try DirectHost(unit).render(64)[0][0].count == 64)
  }
}
