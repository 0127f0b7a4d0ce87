// A program's session without a clock.

import SessionModel
import UnitModel

/// Renders a program's units when called.
///
/// Used by one thread at a time.
package final class OfflineSession {
  private var plan: SessionPlan
  private let registry: ComponentRegistry
  private var structure: ProgramStructure
  private let host: OfflineHost
  private let inputID: String
  private let outputID: String

  /// - Parameters:
  ///   - inputID: the unit that receives the input.
  ///   - outputID: the unit whose outputs are returned.
  ///   - sampleRate: in hertz.
  ///   - maximumFrames: the most frames that units render in a call.
  /// - Throws: errors of the plan or of compiling its graph.
  /// - Thread: [control]
  package init(
    _ structure: ProgramStructure, input inputID: String, output outputID: String,
    registry: ComponentRegistry, sampleRate: Double, maximumFrames: Int
  ) throws {
    (self.inputID, self.outputID) = (inputID, outputID)
    self.structure = structure
    self.registry = registry
    plan = try SessionPlan(structure, clientName: "offline", registry: registry, environment: [:])
    host = try OfflineHost(plan, sampleRate: sampleRate, period: maximumFrames)
  }

  /// The number of frames returned by `render`.
  package var frame: Int64 { host.givenFrame }

  /// Changes to another structure from the next frame on. If a former change still fades, its fade
  /// is rendered first, without input.
  ///
  /// - Throws: errors of the plan or of compiling its graph; nothing has changed then.
  package func follow(_ structure: ProgramStructure) throws {
    host.finishFading()
    let plan = try SessionPlan(
      structure, clientName: "offline", registry: registry, environment: [:], following: plan)
    let gone = self.structure.units.map(\.unit).filter { unit in
      !structure.units.contains { $0.unit === unit }
    }
    let frame = try host.follow(plan.graph) {
      for unit in gone { try? unit.deallocateRenderResources() }
    }
    if frame != nil { (self.plan, self.structure) = (plan, structure) }
  }

  /// Renders frames.
  ///
  /// - Parameters:
  ///   - frames: the number of frames.
  ///   - input: the samples of the input by channel; missing samples are silent.
  /// - Returns: the samples of the output by channel.
  package func render(_ frames: Int, input: [[Float]]) -> [[Float]] {
    let pieces = host.render(
      frames,
      input: { ports, first, count in
        var channels = input[...]
        return ports.audioInputs.map { port in
          guard port.unitID == self.inputID, let channel = channels.popFirst() else { return [] }
          return Array(channel.dropFirst(first).prefix(count))
        }
      })
    var (output, done): ([[Float]], Int) = ([], 0)
    for piece in pieces {
      let heard = zip(piece.ports.audioOutputs, piece.audio).filter { $0.0.unitID == outputID }
      Self.append(heard.map(\.1), piece.frameCount, to: &output, done)
      done += piece.frameCount
    }
    return output
  }

  /// Appends `count` frames to `output`; channels that `rendered` lacks get silence.
  ///
  /// - Parameter done: the number of frames in `output`; new channels were silent until then.
  package static func append(
    _ rendered: [[Float]], _ count: Int, to output: inout [[Float]], _ done: Int
  ) {
    while output.count < rendered.count { output.append([Float](repeating: 0, count: done)) }
    for channel in output.indices {
      output[channel] +=
        channel < rendered.count ? rendered[channel] : [Float](repeating: 0, count: count)
    }
  }
}
