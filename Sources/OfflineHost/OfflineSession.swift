// A program's session without a clock.

import SessionModel
import UnitModel

/// Renders a program's units by the call.
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
    plan = try SessionPlan(structure, clientName: "offline", registry: registry, environment: [:])
    host = try OfflineHost(plan, sampleRate: sampleRate, period: maximumFrames)
  }

  /// Frames that have been given so far.
  package var frame: Int64 { host.givenFrame }

  /// Becomes another one from the next frame on; where a change before it still fades, behind that,
  /// which is rendered now, without input.
  ///
  /// - Throws: what is wrong; nothing has changed then.
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
  ///   - frames: how many.
  ///   - input: the samples of the input by channel; silence where there are none.
  /// - Returns: those of the output.
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
}
