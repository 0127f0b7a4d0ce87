// Units, connected by a program, over JACK or by the call.

import BuiltInUnits
import Configuration
public import Logging
import MixerUnit
public import Session
import Synchronization
public import UnitModel

/// Nodes that a program attaches, connects and disconnects, also while they are rendered.
///
/// A chain is active from its sources to the engine's output, a tap or a recorder; only what is in
/// an active chain is rendered. What comes and goes fades within 128 frames, and nothing else
/// changes. A player that is in no active chain keeps its place and goes on from there.
///
/// Over JACK, the engine is a session as any: `auricle ctl`, the patchbay and JACK's own changes
/// reach it, and it waits for a server that has gone. `ctl` and the program change one session:
/// `units` and `connections` have what `ctl` did, and a change of the program leaves that as it is.
/// A unit that somebody else has removed or replaced is attached no longer. Without a clock,
/// `render` renders by the call.
///
/// Methods that change a graph which is rendered wait until the change has been made; they may be
/// called at any time, and are carried out one after the other.
///
/// AUv3: `AVAudioEngine`.
/// - Thread: [any], but not the render thread
public final class Engine: Sendable {
  /// How an engine renders.
  public enum Mode: Sendable {
    /// As a JACK client.
    case jack(JackSession.Options)
    /// By the call, at a sample rate in hertz, at most so many frames at once.
    case offline(sampleRate: Double, maximumFrames: Int = 1024)
  }

  static let outputID = "output"
  static let inputID = "input"
  static let mixerID = "mixer"

  struct State {
    var graph = EngineGraph()
    /// What it was before the edit that is under way, and what it is to be.
    var edit: (before: EngineGraph, after: EngineGraph)?
    /// By the inputs of mixers, what comes there.
    var mixed: [EngineGraph.End: MixedSource] = [:]
    var isPaused = false
    /// What was asked for last, and what others wait for.
    var last: Task<Void, any Error>?
    var output: MixerUnit?
    var input: MixerUnit?
    var mixer: MixerUnit?
    var observers: [Int: @Sendable (EngineChange) -> Void] = [:]
    var lastObserver = 0
  }

  let mode: Mode
  let name: String
  let registry: ComponentRegistry
  let log: Logger
  let state = Mutex(State())
  let host = Mutex<EngineHost?>(nil)

  /// - Parameters:
  ///   - name: the JACK client's.
  ///   - components: those of the program's own units, beside the built-in ones.
  ///   - log: takes what is worth telling; nil prints warnings and errors.
  /// - Throws: `RegistrationError` where two components have one name.
  /// - Thread: [control]
  public init(
    name: String = "auricle", _ mode: Mode = .jack(JackSession.Options()),
    components: [Component] = [], log: Logger? = nil
  ) throws(RegistrationError) {
    self.name = name
    self.mode = mode
    var standard = Logger(label: "auricle")
    standard.logLevel = .warning
    self.log = log ?? standard
    registry = try BuiltInComponents.makeRegistry()
    for component in components { try registry.register(component) }
  }

  /// A JACK client goes soon after.
  deinit { host.withLock { $0 }?.program?.end() }

  // MARK: Nodes

  /// Makes a unit known to the engine; it is heard once it is connected.
  ///
  /// - Parameters:
  ///   - id: names it for `auricle ctl`, and its JACK ports: 1 to 64 letters, digits, - and _; nil
  ///     for its kind's name.
  /// - Throws: `alreadyAttached`, `badName`.
  ///
  /// AUv3: `attach(_:)`.
  public func attach(_ unit: AudioUnit, id: String? = nil) throws(EngineError) {
    let wanted = id ?? kindName(of: unit)
    try state.withLock { (state) throws(EngineError) in
      if let node = state.graph.node(of: unit) { throw .alreadyAttached(id: node.id) }
      var free = wanted
      var number = 1
      while id == nil, state.graph.node(free) != nil || Self.ownIDs.contains(free) {
        number += 1
        free = "\(wanted)-\(number)"
      }
      guard (try? UnitName(free)) != nil, state.graph.node(free) == nil,
        !Self.ownIDs.contains(free)
      else { throw .badName(free) }
      state.graph.attach(unit, id: free)
    }
  }

  /// Forgets a unit, with all that is connected to it; one that somebody else has removed from the
  /// session is forgotten likewise.
  ///
  /// - Throws: `notAttached`, `ownNode`, `refused`.
  ///
  /// AUv3: `detach(_:)`.
  public func detach(_ unit: AudioUnit) async throws(EngineError) {
    do throws(EngineError) {
      let id = try id(of: unit)
      if Self.ownIDs.contains(id) { throw .ownNode(id: id) }
      try await edit("\(id) detached") { $0.detach(unit) }
    } catch {
      guard case .removed = error else { throw error }
      state.withLock { $0.graph.forget(unit) }
    }
    (unit as? any Mixing)?.mixing.setObserver(nil)
    (unit as? any Finishing)?.finish()
  }

  /// The units that are attached, those of the engine among them, and those that somebody else has
  /// brought into the session.
  ///
  /// AUv3: `attachedNodes`.
  public var units: [AudioUnit] { state.withLock { $0.graph.nodes.map(\.unit) } }

  /// By which a unit is known.
  ///
  /// - Throws: `notAttached`, `removed`.
  public func id(of unit: AudioUnit) throws(EngineError) -> String {
    let graph = state.withLock { $0.graph }
    if let node = graph.node(of: unit) { return node.id }
    if let lost = graph.lost.first(where: { $0.unit === unit }) { throw .removed(id: lost.id) }
    throw .notAttached(unit: kindName(of: unit))
  }

  /// Those of the engine's own nodes, and those that mean something else in a session.
  private static let ownIDs = [outputID, inputID, mixerID] + UnitName.reserved.keys

  private func kindName(of unit: AudioUnit) -> String {
    registry.components.first { $0.description == unit.componentDescription }?.shortName
      ?? (unit is any Mixing ? "source" : "unit")
  }
}
