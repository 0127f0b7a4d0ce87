// Units are inserted, replaced, brought back and bypassed without a click.

import Effects
import Graph
import MediaFiles
import OfflineBackend
import Players
import TestSupport
import Testing
import TimePitchUnit
import UnitHost
import UnitModel
import UnitTestSupport

@Suite struct ClickTests {
  static let timeEffects = [
    EffectKind(name: "varispeed") { try VarispeedUnit() },
    EffectKind(name: "time-pitch") { try TimePitchUnit() },
  ]
  static let kinds = EffectKind.all + timeEffects

  static let sine = Signal.sine(frames: 60_000, frequencyHertz: 220, amplitude: 0.5)

  /// A tone of 220 Hz that feeds the equalizer `sum`, through an effect or directly, and is edited
  /// while it sounds.
  private final class Path {
    private(set) var graph = Graph()
    let renderer: OfflineRenderer
    private(set) var output: [Float] = []

    init(_ kind: EffectKind?) throws {
      let tone = try ToneUnit()
      for (name, value) in [("playing", Float(1)), ("key", 57), ("amplitude", 0.5)] {
        try tone.parameterTree.parameter(keyPath: name)!.setValue(value)
      }
      try graph.add(tone, id: "tone")
      try graph.add(try EQUnit(bandCount: 1), id: "sum")
      if let kind { try graph.add(try kind.make(), id: "effect") }
      try Self.connect(graph)
      renderer = OfflineRenderer(
        try graph.compile(
          CompileOptions(sampleRate: 48_000, maximumFrames: 256, isOffline: true)))
    }

    private static func connect(_ graph: Graph) throws {
      func bus(_ unit: Int) -> GraphBus { GraphBus(unit: unit, bus: 0) }
      if graph.nodes.count > 2 {
        try graph.connect(bus(0), to: bus(2))
        try graph.connect(bus(2), to: bus(1))
      } else {
        try graph.connect(bus(0), to: bus(1))
      }
    }

    func render(_ frames: Int) {
      for _ in 0..<(frames + 63) / 64 { cycle() }
    }

    private func cycle() { output += renderer.render(frameCount: 64)[0] }

    /// Changes to a path with another effect, or without one.
    func edit(_ kind: EffectKind?) throws {
      let next = Graph(following: graph)
      for node in graph.nodes.prefix(2) { try next.keep(node) }
      if let kind { try next.add(try kind.make(), id: "effect") }
      try Self.connect(next)
      try follow(next)
      graph = next
    }

    /// Removes the effect, which rings out, and brings it back before its tail has ended.
    ///
    /// - Returns: the frame on which the effect is brought back.
    func removeAndBringBack() throws -> Int {
      let without = Graph(following: graph)
      for node in graph.nodes.prefix(2) { try without.keep(node) }
      try Self.connect(without)
      let ringing = Graph(copying: without)
      try ringing.ringOut(graph.nodes[2], of: graph)
      try follow(ringing)
      render(2_400)
      let start = output.count
      try follow(graph)
      return start
    }

    private func follow(_ next: Graph) throws {
      let passages = try next.compile(following: renderer.graph)
      for passage in passages.dropLast() {
        renderer.go(on: passage)
        repeat { cycle() } while !passage.schedule.isSettled
      }
      renderer.go(on: passages.last!)
    }
  }

  /// Expects no greater step in `output` than in the settled parts (0.0145 at least), plus 1/128:
  /// the step of a crossfade of 128 frames.
  private func expectNoClick(
    _ output: ArraySlice<Float>, settled: ArraySlice<Float>..., named name: String
  ) {
    let own = settled.map { largestStep(Array($0)) }.max()!
    let step = largestStep(Array(output))
    #expect(step <= max(own, 0.0145) + 1.0 / 128, "\(name)")
    for part in settled { #expect(rootMeanSquareDecibels(Array(part)) > -30, "\(name)") }
  }

  @Test(arguments: kinds)
  func aUnitThatComesIntoASoundingPathIsNotHeardToCome(kind: EffectKind) throws {
    let path = try Path(nil)
    path.render(2_400)
    try path.edit(kind)
    path.render(40_000)
    expectNoClick(
      path.output[...], settled: path.output[1_200..<2_400], path.output.suffix(8_000),
      named: kind.name)
  }

  @Test(arguments: kinds)
  func aUnitThatTakesThePlaceOfAnotherIsNotHeardToCome(kind: EffectKind) throws {
    let path = try Path(EffectKind.all[0])
    path.render(4_800)
    try path.edit(kind)
    path.render(40_000)
    expectNoClick(
      path.output[...], settled: path.output[1_200..<4_800], path.output.suffix(8_000),
      named: kind.name)
  }

  @Test(arguments: EffectKind.all)
  func aUnitThatIsBroughtBackIsNotHeardToCome(kind: EffectKind) throws {
    let path = try Path(kind)
    path.render(24_000)
    let before = path.output.suffix(8_000)
    let start = try path.removeAndBringBack()
    path.render(40_000)
    expectNoClick(path.output[start...], settled: before, named: kind.name)
  }

  /// Covers both ends of a bypass, and the delayed output of the bypass.
  @Test(arguments: EffectKind.all)
  func aBypassIsNotHeardToComeOrGo(kind: EffectKind) throws {
    let unit = try kind.allocated()
    let host = try DirectHost(unit)
    let output = try host.run([Self.sine], periods: .fixed(100)) { frame in
      if frame == 14_400 { unit.shouldBypassEffect = true }
      if frame == 24_000 { unit.shouldBypassEffect = false }
    }[0]
    expectNoClick(
      output[4_800...], settled: output[4_800..<14_400], output.suffix(5_000), named: kind.name)
    #expect(
      firstBitDifference(Array(output[15_360..<24_000]), passed(Self.sine, unit)) == nil)
  }

  private func passed(_ input: [Float], _ unit: AudioUnit) -> [Float] {
    let late = Int((unit.latency * 48_000).rounded())
    return Array(input[15_360 - late..<24_000 - late])
  }

  /// A bypassed player pauses. It stops and resumes without a click.
  @Test(arguments: [64, 441])
  func aPlayersBypassFadesBothWaysAndKeepsItsPlace(period: Int) throws {
    let player = try ScheduledPlayerUnit(channels: 1)
    try player.allocate(channels: 1)
    let host = try DirectHost(player)
    try player.schedule(try AudioClip([Self.sine], sampleRate: 48_000))
    try player.parameterTree.parameter(keyPath: "state")!.setValue(1)
    try player.scheduleBypass(true, at: .frame(9_654))
    try player.scheduleBypass(false, at: .frame(19_300))
    var output: [Float] = []
    while output.count < 30_000 { output += try host.render(period)[0][0] }
    #expect(largestStep(output) <= 0.0145 + 0.5 / 960)
    #expect(Array(output[10_614..<19_300]).allSatisfy { $0 == 0 })
    let start = output.firstIndex { $0 != 0 } ?? 0
    let place = 20_260 - (19_300 - 10_614)
    #expect(output[20_260] == Self.sine[place - start + 1])
  }
}
