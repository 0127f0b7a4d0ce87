// Effects that are written as one function.

import Realtime
import TestSupport
import Testing
import UnitHost
import UnitModel
import UnitRender

/// Adds the output of the frame before, times `feedback`, to the input times `gain`; `isOff` mutes.
private final class EchoUnit: EffectUnit, @unchecked Sendable {
  static let component = Component(.effect, "echo", "Test", name: "Short Echo") { try EchoUnit($0) }

  @Parameter(identifier: "gain", name: "Gain", address: 0, range: 0...4)
  var gain: Float = 1
  @Parameter(identifier: "feedback", name: "Feedback", address: 1, range: 0...0.9, flags: .ramping)
  var feedback: Float = 0
  @Parameter(identifier: "off", name: "Off", address: 2, range: 0...1, unit: .boolean)
  var isOff: Float = 0

  init(_ description: ComponentDescription = component.description) throws {
    try super.init(
      componentDescription: description, parameters: [_gain, _feedback, _isOff])
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    try RenderResources(channelsOf: self, memoryCount: 1, process: echo)
  }
}

@_noLocks @_noAllocation
private func echo(_ channel: ChannelCall) {
  for frame in 0..<channel.frameCount {
    let sample =
      channel.input[frame] * channel.parameters[0][frame]
      + channel.memory[0] * channel.parameters[1][frame]
    channel.memory[0] = sample
    channel.output[frame] = channel.parameters[2][frame] > 0.5 ? 0 : sample
  }
}

@Suite struct FunctionChannelTests {
  private func host(_ changes: (EchoUnit) throws -> Void = { _ in }) throws -> (
    EchoUnit, DirectHost
  ) {
    let unit = try EchoUnit()
    try changes(unit)
    try unit.allocateRenderResources()
    return (unit, try DirectHost(unit))
  }

  private func render(_ host: DirectHost, _ frames: Int, period: Int = 512, input: Float = 1)
    throws -> [Float]
  {
    var output: [Float] = []
    while output.count < frames {
      let samples = [Float](repeating: input, count: min(period, frames - output.count))
      output += try host.render(samples.count, inputs: [[samples, samples]])[0][1]
    }
    return output
  }

  @Test func theComponentHasItsNameItsClassAndItsShortName() throws {
    #expect(EchoUnit.component.shortName == "shortecho")
    #expect(EchoUnit.component.unitType == EchoUnit.self)
    #expect(EchoUnit.component.description.codes == "aufx/echo/Test")
  }

  @Test(arguments: [1, 13, 63, 64, 65, 500])
  func outputDoesNotDependOnThePeriod(period: Int) throws {
    func run(_ period: Int) throws -> [Float] {
      let (unit, host) = try host()
      var random = SeededRandom(seed: 7)
      for _ in 0..<60 {
        let address = ParameterAddress.random(in: 0...2, using: &random)
        try unit.scheduleParameter(
          address, value: .random(in: 0...0.9, using: &random),
          at: .frame(.random(in: 0..<6000, using: &random)),
          rampFrames: address == 1 ? .random(in: 0...500, using: &random) : 0)
      }
      return try render(host, 8000, period: period)
    }
    let output = try run(period)
    #expect(output == (try run(512)))
    #expect(Set(output).count > 1000)
  }

  @Test func aSetValueBeginsOnItsFrameAndArrivesAfterTwentyMilliseconds() throws {
    let (unit, host) = try host { $0.gain = 0.5 }
    try unit.scheduleParameter(0, value: 1, at: .frame(100))
    let output = try render(host, 2000)
    #expect(output[..<100].allSatisfy { $0 == 0.5 })
    let frames = Int(unit.outputBusses[0].format.sampleRate / 50)
    for frame in 100..<2000 {
      let share = Double(min(frames, frame - 99)) / Double(frames)
      #expect(output[frame] == Float(0.5 + 0.5 * share))
    }
    #expect(unit.gain == 1)
  }

  @Test func aRampHasItsLengthAndAWholeNumberIsSetOnItsFrame() throws {
    let (unit, host) = try host()
    try unit.scheduleParameter(2, value: 1, at: .frame(70))
    try unit.scheduleParameter(2, value: 0, at: .frame(75))
    try unit.scheduleParameter(1, value: 0.5, at: .frame(200), rampFrames: 10)
    let output = try render(host, 210)
    #expect(output[..<200].indices.filter { output[$0] != 1 } == Array(70..<75))
    #expect(output[199..<210].allSatisfy { $0 >= 1 } && output[200] == 1.05)
    #expect(unit.feedback == 0.5)
  }

  @Test func aResetClearsTheMemory() throws {
    let (unit, host) = try host { $0.feedback = 0.9 }
    _ = try render(host, 100)
    #expect(try render(host, 2, input: 0)[0] > 5)
    unit.reset()
    #expect(try render(host, 2, input: 0) == [0, 0])
  }

  @Test func valuesAreWithinTheirRanges() throws {
    let (unit, host) = try host()
    try unit.scheduleParameter(1, value: -1e30, at: .frame(1), rampFrames: 1)
    try unit.scheduleParameter(0, value: 1e30, at: .frame(1))
    #expect(try render(host, 2000).last == 4)
  }
}
