// A program's session without a clock.

import Foundation
import Graph
import GraphRender
import OfflineBackend
import UnitModel

/// Renders a program's units by the call.
///
/// Used by one thread at a time.
package final class OfflineSession {
  private var plan: SessionPlan
  private let registry: ComponentRegistry
  private var structure: ProgramStructure
  private let renderer: OfflineRenderer
  private let maximumFrames: Int
  private let inputID: String
  private let outputID: String
  /// What is heard once nothing fades any more.
  private var compiled: CompiledGraph
  /// What there was before it, until that has faded.
  private var former: ProgramStructure?
  /// What is to be rendered on the way, the last of it `compiled`.
  private var passages: [CompiledGraph] = []
  /// What is rendered already and nobody has had yet, by channel.
  private var ahead: [[Float]] = []
  private var aheadCount = 0

  /// - Parameters:
  ///   - inputID: the unit that gets the input.
  ///   - outputID: the unit that is heard.
  ///   - sampleRate: in hertz.
  ///   - maximumFrames: the most that units render in a call.
  /// - Throws: what is wrong.
  /// - Thread: [control]
  package init(
    _ structure: ProgramStructure, input inputID: String, output outputID: String,
    registry: ComponentRegistry, sampleRate: Double, maximumFrames: Int
  ) throws {
    (self.inputID, self.outputID) = (inputID, outputID)
    self.structure = structure
    self.registry = registry
    self.maximumFrames = maximumFrames
    plan = try SessionPlan(structure, clientName: "offline", registry: registry, environment: [:])
    compiled = try plan.graph.compile(
      CompileOptions(
        sampleRate: sampleRate, maximumFrames: maximumFrames, isOffline: true,
        helper: RenderHelper()))
    renderer = OfflineRenderer(compiled, periodCapacity: maximumFrames)
  }

  /// Frames that have been given so far.
  package var frame: Int64 { renderer.frame - Int64(aheadCount) }

  /// Becomes another one from the next frame on; where a change before it still fades, behind that,
  /// which is rendered now, without input.
  ///
  /// - Throws: what is wrong; nothing has changed then.
  package func follow(_ structure: ProgramStructure) throws {
    while !passages.isEmpty { renderAhead() }
    let plan = try SessionPlan(
      structure, clientName: "offline", registry: registry, environment: [:], following: plan)
    let passages = try plan.graph.compile(following: compiled)
    guard let last = passages.last else { return }
    former = self.structure
    (self.plan, self.structure, compiled, self.passages) = (plan, structure, last, passages)
    renderer.go(on: passages[0])
    if passages.count == 1 { arrive() }
  }

  /// The last graph is rendered: what has gone has faded.
  private func arrive() {
    passages = []
    let gone = former?.units.map(\.unit).filter { unit in
      !structure.units.contains { $0.unit === unit }
    }
    former = nil
    for unit in gone ?? [] { try? unit.deallocateRenderResources() }
  }

  /// Renders frames.
  ///
  /// - Parameters:
  ///   - frames: how many.
  ///   - input: the samples of the input by channel; silence where there are none.
  /// - Returns: those of the output.
  package func render(_ frames: Int, input: [[Float]]) -> [[Float]] {
    let given = min(frames, aheadCount)
    var output = ahead.map { Array($0.prefix(given)) }
    for channel in ahead.indices { ahead[channel].removeFirst(given) }
    aheadCount -= given
    var done = given
    while done < frames {
      let count = min(frames - done, passages.isEmpty ? maximumFrames : Self.stepFrames)
      Self.append(renderStep(count, input.map { $0.dropFirst(done) }), count, to: &output, done)
      done += count
    }
    return output
  }

  /// Renders a step of what still fades.
  private func renderAhead() {
    Self.append(renderStep(Self.stepFrames, []), Self.stepFrames, to: &ahead, aheadCount)
    aheadCount += Self.stepFrames
  }

  /// Small, so that a graph on the way is not rendered for long once nothing fades any more.
  private static let stepFrames = 64

  /// - Returns: the samples that are heard.
  private func renderStep(_ count: Int, _ input: [ArraySlice<Float>]) -> [[Float]] {
    let ports = renderer.graph.ports
    var channels = input[...]
    let given = ports.audioInputs.map { port -> [Float] in
      port.unitID == inputID ? Array(channels.popFirst()?.prefix(count) ?? []) : []
    }
    let rendered = renderer.render(frameCount: count, input: given)
    while !passages.isEmpty, renderer.graph.schedule.isSettled { pass() }
    return zip(ports.audioOutputs, rendered).filter { $0.0.unitID == outputID }.map(\.1)
  }

  /// - Parameter done: frames that `output` has; channels that it has not were silent.
  package static func append(
    _ rendered: [[Float]], _ count: Int, to output: inout [[Float]], _ done: Int
  ) {
    while output.count < rendered.count { output.append([Float](repeating: 0, count: done)) }
    for channel in output.indices {
      output[channel] +=
        channel < rendered.count ? rendered[channel] : [Float](repeating: 0, count: count)
    }
  }

  /// Goes on with the next graph on the way.
  private func pass() {
    passages.removeFirst()
    renderer.go(on: passages[0])
    if passages.count == 1 { arrive() }
  }
}
