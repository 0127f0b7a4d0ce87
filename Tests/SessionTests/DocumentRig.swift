// A session without a server.

import BuiltInUnits
import Foundation
import MediaFiles
import TestSupport
import Tools
import UnitModel

@testable import Session
@testable import SessionModel

/// A session without a server, its commands, and the document it would be saved as.
struct DocumentRig {
  let plan: SessionPlan
  var control: SessionControl

  init(_ file: URL, folders: [URL] = []) async throws {
    let environment = ProcessInfo.processInfo.environment.merging(
      folders.isEmpty
        ? [:] : ["XDG_DATA_DIRS": folders.map(\.path).joined(separator: ":")]
    ) { $1 }
    self.init(
      try await SessionBuilder(
        registry: try BuiltInComponents.makeRegistry(),
        environment: environment
      ).build(contentsOf: file))
  }

  init(_ plan: SessionPlan) {
    self.plan = plan
    let units = plan.graph.nodes.map { ($0.id, $0.unit) }
    control = SessionControl(
      units: units, sampleRate: nil, endOutside: {},
      status: { SessionStatus(client: "x", server: "default", units: units.count) },
      store: SessionStore(plan.origin, base: plan.base), history: SessionHistory())
  }

  @discardableResult
  func ask(_ command: SessionCommand) async throws -> SessionAnswer {
    switch try control.execute(command) {
    case .done(let answer): return answer
    case .soon(let work): return try await work().get()
    case .later(let late): return try await late.work().get()
    }
  }

  func refusal(_ command: SessionCommand) async -> String {
    do { return "\(try await ask(command))" } catch { return "\(error)" }
  }

  /// The session as it would be saved.
  var document: SessionDocument? { control.store?.document(units: control.units) }

  var values: [String: Float] {
    Dictionary(
      uniqueKeysWithValues: control.units.flatMap { id, unit in
        unit.parameterTree.allParameters.filter { $0.flags.contains(.writable) }.map {
          ("\(id)/\($0.keyPath)", $0.value)
        }
      })
  }

  /// Sets parameters to random values that a command accepts.
  ///
  /// - Parameter percent: the share of the parameters to set.
  func change(_ percent: Int, _ random: inout SeededRandom) async throws {
    for (id, unit) in control.units {
      for parameter in unit.parameterTree.allParameters
      where parameter.flags.contains(.writable) && Int.random(in: 0..<100, using: &random) < percent
      {
        var value = Float.random(in: parameter.range, using: &random)
        if parameter.isWhole { value.round() }
        let path = SessionPath(unit: id, keyPath: parameter.keyPath).text
        try await ask(.set(path: path, value: .number(Double(value))))
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        try await ask(.bypass(unit: id, isOn: .random(using: &random)))
      }
    }
  }

  func bounce() throws -> [[Float]] {
    let folder = try TemporaryDirectory()
    var file = MIDIFileMaker.frameExact(sampleRate: 48000)
    file.addNote(48, at: 100, length: 3000)
    file.addNote(72, at: 2500, length: 3000)
    let midi = try folder.write(file.bytes(), to: "notes.mid")
    let input = folder.file("noise.wav")
    let writer = try AudioFileWriter(url: input, sampleRate: 48000, channelCount: 1)
    try writer.write([Signal.noise(frames: 6000, seed: 1)])
    try writer.finish()
    let output = folder.file("out.wav")
    _ = try Bounce(plan, BounceOptions(midi: midi, output: output, input: input, tailSeconds: 0.05))
      .run()
    return try AudioFileReader(contentsOf: output).read()
  }
}
