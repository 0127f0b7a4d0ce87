// Random changes of one session by a program and by commands in turn.

import AudioEngine
import BuiltInUnits
import Configuration
import Effects
import Foundation
import TestSupport
import Testing
import UnitModel

@testable import Session
@testable import SessionModel

/// Draws changes by either, including refused ones, and compares both views after each.
private struct EngineMix {
  private typealias Act = (name: String, work: @Sendable () async throws -> Void)

  let session: EngineSession
  private var random: SeededRandom
  /// All units that the program has made, whether they are attached or not.
  private var made: [AudioUnit] = []
  private var lastNumber = 0
  /// The numbers of changes made and refused, by kind.
  private(set) var counts: [String: (done: Int, refused: Int)] = [:]

  init(_ session: EngineSession, seed: UInt64) {
    self.session = session
    random = SeededRandom(seed: seed)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &random)!
  }

  private var engine: Engine { session.engine }

  /// Makes a change by the program or by a command, or one by each at once. A refused change has no
  /// effect.
  mutating func step() async throws {
    let acts =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: [try program()]
      case 1: [try command()]
      default: [try program(), try command()]
      }
    let tasks = acts.map { act in
      Task.detached { () -> (any Error)? in
        do { try await act.work() } catch { return error }
        return nil
      }
    }
    for (act, task) in zip(acts, tasks) {
      let error = await task.value
      #expect(
        error == nil || error is EngineError || error is SessionCommandError,
        "\(act.name): \(error as Any)")
      counts[act.name, default: (0, 0)].done += error == nil ? 1 : 0
      counts[act.name, default: (0, 0)].refused += error == nil ? 0 : 1
    }
  }

  private mutating func program() throws -> Act {
    let engine = engine
    let new: AudioUnit = Bool.random(using: &random) ? try ToneUnit() : try DelayUnit()
    let name = pick(["attach", "attach", "connect", "connect", "disconnect", "detach", "again"])
    if made.isEmpty || name == "attach" {
      made.append(new)
      return (
        name,
        {
          try engine.attach(new)
          try await engine.connect(new, to: engine.mainMixerNode)
        }
      )
    }
    // Also units that are no longer attached.
    let (one, other) = (pick(made), pick(made + engine.units))
    switch name {
    case "connect": return (name, { try await engine.connect(one, to: other) })
    case "disconnect": return (name, { try await engine.disconnectOutput(of: other) })
    case "detach": return (name, { try await engine.detach(one) })
    default:
      return (
        name,
        {
          try engine.attach(one)
          try await engine.connect(one, to: engine.mainMixerNode)
        }
      )
    }
  }

  private mutating func command() throws -> Act {
    let ids = try session.listed()
    let others = ids.filter { $0 != "output" } + ["mixer"]
    let component = pick(["tone", "delay", "filter"])
    let name = pick([
      "add", "connect", "connect", "connect", "disconnect", "disconnect", "replace", "remove",
      "undo", "redo",
    ])
    var commands: [SessionCommand]
    switch name {
    case "add":
      lastNumber += 1
      commands = [
        .add(unit: "u\(lastNumber)", component: component),
        .connect(from: "u\(lastNumber)", to: "mixer"),
      ]
    case "connect": commands = [.connect(from: pick(others), to: pick(ids))]
    case "disconnect":
      let known = try session.saved().connections.map { ($0.from.value.text, $0.to.value.text) }
      let (from, to) = pick(known.isEmpty ? [("mixer", "output")] : known)
      commands = [.disconnect(from: from, to: to)]
    case "replace":
      commands = [
        .replace(unit: pick(others.filter { $0 != "mixer" } + ["none"]), component: component)
      ]
    case "remove": commands = [.remove(unit: pick(ids))]
    case "undo": commands = [.undo(steps: Int.random(in: 1...3, using: &random))]
    default: commands = [.undo(steps: 1), .redo(steps: 1)]
    }
    return (
      "ctl \(name)", { [session, commands] in for command in commands { try session.ctl(command) } }
    )
  }

  /// Compares the program's view with the session's.
  func compare(_ place: String) throws {
    let (listed, saved) = (Set(try session.listed()), try session.saved())
    #expect(Set(saved.units.map(\.id.value)) == listed, "\(place)")
    let ids = Dictionary(
      uniqueKeysWithValues: try engine.units.map { (ObjectIdentifier($0), try engine.id(of: $0)) })
    #expect(listed.isSubset(of: ids.values), "\(place): \(listed), \(ids.values)")
    // Units that are attached but not heard belong only to the program. `mainMixerNode` attaches
    // the mixer and the output; a change that an undo of the same moment refuses leaves them.
    let own = Set(made.map { ObjectIdentifier($0) })
    let others = ids.filter { !listed.contains($0.value) && !own.contains($0.key) }
    #expect(
      others.values.allSatisfy { ["mixer", "output"].contains($0) }, "\(place): \(others.values)")
    var connections: Set<String> = []
    for connection in engine.connections {
      let ends = (ids[.init(connection.source)], ids[.init(connection.destination)])
      let from = try #require(ends.0, "\(place)")
      let to = try #require(ends.1, "\(place)")
      // A connection that waits for the program's next change is not in the session.
      guard listed.contains(from), listed.contains(to) else { continue }
      connections.insert(
        "\(from):\((connection.bus ?? 0) + 1) -> \(to):\((connection.input ?? 0) + 1)")
    }
    let inside = saved.connections.filter { $0.from.value.unit != nil && $0.to.value.unit != nil }
    #expect(
      connections
        == Set(inside.map { "\(Self.text($0.from.value)) -> \(Self.text($0.to.value))" }),
      "\(place)")
  }

  /// The text of an end, with its number even if the session has none.
  private static func text(_ end: Endpoint) -> String {
    if case .unit(let id, nil) = end { "\(id):1" } else { end.text }
  }
}

/// Changes while the server is stopped: libjack sometimes ends a program whose ports change so
/// often, because it walks through its list of them while it changes.
@Suite(.serialized) struct EngineMixTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func aProgramAndCommandsSeeOneSession(seed: UInt64) async throws {
    let session = try await EngineSession("mix\(seed)")
    var mix = EngineMix(session, seed: seed)
    _ = session.engine.mainMixerNode
    try await session.engine.start()
    try await session.server.stop()
    #expect(try await eventually { try !session.isServerThere() })
    for number in 1...60 {
      try await mix.step()
      try mix.compare("seed \(seed), step \(number)")
    }
    // Not all changes were refused.
    #expect(mix.counts.values.reduce(0) { $0 + $1.done } > 20, "\(mix.counts)")
    try await session.server.restart()
    #expect(try await eventually { try session.isServerThere() })
    try mix.compare("seed \(seed), on the server")
    let file = session.folder.file("saved.toml")
    let registry = try BuiltInComponents.makeRegistry()
    let plan = try await SessionBuilder(registry: registry).build(contentsOf: file)
    #expect(try Set(plan.units.map(\.id)) == Set(session.listed()))
    await session.engine.stop()
  }
}
