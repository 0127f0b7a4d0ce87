// Repeated compilation, and release of compiled graphs.

import Effects
import Graph
import OfflineBackend
import Realtime
import TestSupport
import Testing
import UnitModel
import UnitRender

@Suite struct LifecycleTests {
  @Test func aGraphIsCompiledForAnotherRateOnceTheFirstIsReleased() throws {
    let graph = Graph()
    let unit = try FilterUnit()
    try graph.add(unit, id: "lowpass")
    unit.cutoff = 900
    let input = [Signal.noise(frames: 600, seed: 1), Signal.noise(frames: 600, seed: 2)]
    var compiled: CompiledGraph? = try graph.compile(sampleRate: 48_000)
    let first = OfflineRenderer(compiled!).run(frames: 600, input: input)

    #expect(throws: GraphError.self) { try graph.compile(sampleRate: 96_000) }
    // The refusal leaves the graph in use intact.
    #expect(unit.renderResourcesAllocated)
    compiled = nil
    let second = try graph.compile(sampleRate: 96_000, maximumFrames: 64)
    #expect(unit.outputBusses[0].format.sampleRate == 96_000)
    #expect(unit.maximumFramesToRender == 64)
    #expect(unit.isRenderingOffline)
    let output = OfflineRenderer(second).run(frames: 600, input: input)
    #expect(firstDifference(output[0], first[0]) != nil)

    let alone = try FilterUnit()
    alone.cutoff = 900
    let other = Graph()
    try other.add(alone, id: "alone")
    let fresh = OfflineRenderer(try other.compile(sampleRate: 96_000))
      .run(frames: 600, input: input)
    #expect(firstBitDifference(output[1], fresh[1]) == nil)
  }

  @Test func aReleasedGraphLetsGoOfItsUnits() throws {
    weak var weakGraph: CompiledGraph?
    weak var weakUnit: FilterUnit?
    do {
      let unit = try FilterUnit()
      weakUnit = unit
      let graph = Graph()
      try graph.add(unit, id: "lowpass")
      do {
        let compiled = try graph.compile()
        weakGraph = compiled
        #expect(throws: AudioUnitError.stillHosted) { try unit.deallocateRenderResources() }
        _ = OfflineRenderer(compiled).render(frameCount: 10)
      }
      #expect(weakGraph == nil)
      try unit.deallocateRenderResources()
    }
    #expect(weakUnit == nil)
  }

  @Test func aUnitThatCannotRenderIsNamed() throws {
    let graph = Graph()
    let unit = AudioUnit(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "none", manufacturer: "Test"),
      parameterTree: try ParameterTree(children: []))
    try graph.add(unit, id: "hollow")
    do {
      _ = try graph.compile()
      Issue.record("it was compiled")
    } catch GraphError.unitFailed(let id, _) {
      #expect(id == "hollow")
    }
  }

  /// The unit is reset when the transport starts, and when it jumps, even while stopped. It is not
  /// reset when the transport stops.
  @Test func aUnitThatWantsItIsResetWithTheTransport() throws {
    func heard(_ flags: [Int], resets: Bool) throws -> [Float] {
      let graph = Graph()
      let unit = try ProbeUnit()
      unit.resetsWithTransport = resets
      try graph.add(unit, id: "u")
      let renderer = OfflineRenderer(try graph.compile())
      return flags.map { flags in
        var context = MusicalContext()
        context.transportFlags = UInt32(flags)
        let note = TimedMIDI(frame: renderer.frame, bytes: [0x90, 60, 100])
        let isFirst = renderer.frame == 0
        return renderer.render(frameCount: 16, midi: isFirst ? [[note]] : [], context: context)[0][
          15]
      }
    }
    let (moving, changed) = (Int(kTransportMoving), Int(kTransportChanged))
    #expect(try heard([0, changed, moving], resets: true) == [60, 60, 60])
    #expect(try heard([moving, moving, moving | changed, moving], resets: true) == [60, 60, 0, 0])
    #expect(
      try heard([moving, moving, moving | changed, moving], resets: false) == [60, 60, 60, 60])
    let jumped = changed | Int(kTransportJumped)
    #expect(try heard([0, 0, jumped, 0], resets: true) == [60, 60, 0, 0])
    #expect(try heard([0, 0, jumped, 0], resets: false) == [60, 60, 60, 60])
  }
}
