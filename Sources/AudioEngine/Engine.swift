// Units connected by a program, rendered over JACK or offline.

import BuiltInUnits
import Configuration
public import Logging
import MixerUnit
public import Session
import Synchronization
public import UnitModel

/// A graph of units that a program attaches, connects and disconnects, also while it is rendered.
///
/// A chain is active if it leads from its sources to the engine's output, a tap or a recorder; only
/// active chains are rendered. Added and removed connections fade within 128 frames; all other
/// output is unchanged. A player outside all active chains keeps its position and continues from
/// there.
///
/// Over JACK, the engine is an ordinary session: `auricle ctl`, the patchbay and JACK's own changes
/// reach it. If the server ends, the engine waits for another one. `ctl` and the program change one
/// session: `units` and `connections` include the changes of `ctl`, and the program's changes
/// preserve them. A unit that another client removes or replaces is no longer attached. Without a
/// clock, `render` renders on demand.
///
/// While the engine renders, methods that change the graph return once the change is rendered. They
/// may be called at any time, and run one after the other.
///
/// AUv3: `AVAudioEngine`.
/// - Thread: [any], but not the render thread
public final class Engine: Sendable {
  /// Render modes of an engine.
  public enum Mode: Sendable {
    /// Rendering as a JACK client.
    case jack(JackSession.Options)
    /// Offline, by `render`, at a sample rate in hertz and with the most frames of a slice.
    case offline(sampleRate: Double, maximumFrames: Int = 1024)
  }

  static let outputID = "output"
  static let inputID = "input"
  static let mixerID = "mixer"

  struct State {
    var graph = EngineGraph()
    /// The graph before and after the edit that is under way.
    var edit: (before: EngineGraph, after: EngineGraph)?
    /// The source of each mixer input.
    var mixed: [EngineGraph.End: MixedSource] = [:]
    var isPaused = false
    /// The JACK server's last known rate in hertz.
    var serverRate: Double?
    /// The last edit, which the next one awaits.
    var last: Task<Void, any Error>?
    var output: MixerUnit?
    var input: MixerUnit?
    var mixer: MixerUnit?
    var observers: [Int: @Sendable (EngineChange) -> Void] = [:]
    var lastObserver = 0
  }

  let mode: Mode
  let name: String
  let inputChannels: Int
  let outputChannels: Int
  let registry: ComponentRegistry
  let log: Logger
  let state = Mutex(State())
  let host = Mutex<EngineHost?>(nil)

  /// The accepted channel counts of `inputNode` and `outputNode`.
  public static let channelCounts = MixerLayout.channelCounts

  /// - Parameters:
  ///   - name: the JACK client's.
  ///   - inputChannels: channels of `inputNode`, 1 to 8. A mono input can have a position.
  ///   - outputChannels: channels of `outputNode` and `mainMixerNode`, 1 to 8.
  ///   - components: those of the program's own units, in addition to the built-in ones.
  ///   - log: receives messages; nil prints warnings and errors.
  /// - Throws: `channelCount`; `refused` if two components have one name.
  /// - Thread: [control]
  public init(
    name: String = "auricle", _ mode: Mode = .jack(JackSession.Options()), inputChannels: Int = 2,
    outputChannels: Int = 2, components: [Component] = [], log: Logger? = nil
  ) throws(EngineError) {
    for (argument, count) in [
      ("inputChannels", inputChannels), ("outputChannels", outputChannels),
    ] where !Self.channelCounts.contains(count) {
      throw .channelCount(argument: argument, count: count)
    }
    self.name = name
    self.mode = mode
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    var standard = Logger(label: "auricle")
    standard.logLevel = .warning
    self.log = log ?? standard
    do throws(RegistrationError) {
      registry = try BuiltInComponents.makeRegistry()
      for component in components { try registry.register(component) }
    } catch { throw .refused(reason: "\(error)") }
  }

  /// Ends the session; its JACK client closes soon after.
  deinit { host.withLock { $0 }?.program?.end() }

  // MARK: Nodes

  /// Adds a unit to the engine; it is heard once it is connected.
  ///
  /// - Parameters:
  ///   - id: names it for `auricle ctl`, and its JACK ports: 1 to 64 letters, digits, - and _; nil
  ///     for its kind's name.
  /// - Throws: `alreadyAttached`, `badName`.
  ///
  /// AUv3: `attach(_:)`.
  /// - Thread: [control]
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

  /// Removes a unit with all its connections, also a unit that another client has already removed
  /// from the session.
  ///
  /// - Throws: `notAttached`, `ownNode`, `refused`.
  ///
  /// AUv3: `detach(_:)`.
  /// - Thread: [control]
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

  /// The attached units, including the engine's own and those that other clients have added to the
  /// session.
  ///
  /// AUv3: `attachedNodes`.
  public var units: [AudioUnit] { state.withLock { $0.graph.nodes.map(\.unit) } }

  /// Returns the name of a unit.
  ///
  /// - Throws: `notAttached`, `removed`.
  /// - Thread: [control]
  public func id(of unit: AudioUnit) throws(EngineError) -> String {
    let graph = state.withLock { $0.graph }
    if let node = graph.node(of: unit) { return node.id }
    if let lost = graph.lost.first(where: { $0.unit === unit }) { throw .removed(id: lost.id) }
    throw .notAttached(unit: kindName(of: unit))
  }

  /// Names of the engine's own nodes, and names reserved in sessions.
  private static let ownIDs = [outputID, inputID, mixerID] + UnitName.reserved.keys

  private func kindName(of unit: AudioUnit) -> String {
    registry.components.first { $0.description == unit.componentDescription }?.shortName
      ?? (unit is any Mixing ? "source" : "unit")
  }
}
