// The control side of a unit's MIDI chain: its stages, which can change while it plays.

public import MIDIStages
import Realtime
import Synchronization
public import UnitModel

/// The stages of a unit's chain, and the hand-over of new chains to the kernel.
///
/// A unit makes one host, adds the layout's group to its tree, reserves `parameterReserve`
/// parameters, and makes a player from the host for each kernel.
public final class MIDIChainHost: @unchecked Sendable {
  /// The number of parameters that a unit reserves, in addition to those of its first tree, so that
  /// stages can be added and removed. A removed parameter keeps its slot, for when it is added
  /// again.
  ///
  /// - Thread: [any]
  public static let parameterReserve = 2048

  private struct State {
    var layout: MIDIChainLayout
    /// The number of players, 1 at most.
    var players = 0
  }

  private let state: Mutex<State>
  /// Serialises changes of stages and of kernels.
  private let changes = Mutex(())
  private let mailbox = PublishedPointer()
  /// Counts of the events that the players have deferred.
  ///
  /// - Thread: [any]
  public let counters = DeferredEventCounters()

  /// - Parameter kinds: the kinds of the stages, in order, as `check` accepts them.
  /// - Thread: [control]
  public init(_ kinds: [MIDIStageKind]) {
    state = Mutex(State(layout: MIDIChainLayout(kinds)))
  }

  /// Throws an error if there are more stages than a chain may have.
  ///
  /// - Throws: `MIDIStagesError`.
  /// - Thread: [any]
  public static func check(_ kinds: [MIDIStageKind]) throws(MIDIStagesError) {
    guard kinds.count <= MIDIChainLayout.maximumStageCount else {
      throw .tooManyStages(kinds.count)
    }
  }

  deinit {
    if let chain = mailbox.withdraw() { Self.free(chain) }
    collect()
    mailbox.deallocate()
    counters.deallocate()
  }

  /// The stages, in order.
  ///
  /// - Thread: [control]
  public var layout: MIDIChainLayout { state.withLock { $0.layout } }

  /// Returns a player of the stages for a kernel, set by the unit's parameters. Give it back with
  /// `release`.
  ///
  /// - Thread: [control], in the unit's `makeRenderResources`.
  public func makePlayer(for unit: AudioUnit) -> MIDIChainPlayer {
    changes.withLock { _ in
      let layout = state.withLock {
        $0.players += 1
        return $0.layout
      }
      return .allocate(
        makeChain(layout, unit, unit.parameterTree), mailbox: mailbox, values: unit.parameterValues,
        counters: counters)
    }
  }

  /// Frees a player, after the end of its kernel, and all chains that it has played.
  ///
  /// - Thread: [control]
  public func release(_ player: MIDIChainPlayer) {
    changes.withLock { _ in
      state.withLock { $0.players -= 1 }
      if let chain = mailbox.withdraw() { Self.free(chain) }
      for chain in player.deallocate() { Self.free(chain) }
      collect()
    }
  }

  /// Replaces the stages of the unit's chain: see `MIDIChainUnit.setMIDIStages`, which calls this.
  ///
  /// - Parameter tree: makes a new tree of the unit's parameters, with the group of a layout.
  /// - Throws: `MIDIStagesError`, with nothing changed.
  /// - Thread: [control]
  public func setStages(
    _ kinds: [MIDIStageKind], of unit: AudioUnit,
    tree: (MIDIChainLayout) throws(ParameterTreeError) -> ParameterTree
  ) throws(MIDIStagesError) {
    try Self.check(kinds)
    try changes.withLock { (_) throws(MIDIStagesError) in
      let layout = MIDIChainLayout(kinds)
      let newTree: ParameterTree
      do throws(ParameterTreeError) { newTree = try tree(layout) } catch { throw .tree(error) }
      do throws(AudioUnitError) { try unit.replaceParameterTree(newTree) } catch {
        throw .unit(error)
      }
      let isPlaying = state.withLock {
        $0.layout = layout
        return $0.players > 0
      }
      // Collecting makes room for the chains that the kernel will retire next.
      collect()
      guard isPlaying else { return }
      if let unused = mailbox.publish(makeChain(layout, unit, newTree)) { Self.free(unused) }
    }
    unit.notify(.parameterTree)
  }

  private func makeChain(
    _ layout: MIDIChainLayout, _ unit: AudioUnit, _ tree: ParameterTree
  ) -> UnsafeMutablePointer<MIDIChain> {
    let chain = UnsafeMutablePointer<MIDIChain>.allocate(capacity: 1)
    let indices = layout.stages.map { stage in
      guard let index = unit.parameterValueIndex(ofAddress: stage.baseAddress) else {
        preconditionFailure("give the unit's tree the parameter group of the layout")
      }
      return index
    }
    ChainRehearsal.run(layout, settings: tree, sampleRate: unit.sampleRate)
    chain.initialize(
      to: layout.makeChain(settings: tree, sampleRate: unit.sampleRate, firstValues: indices))
    return chain
  }

  /// Frees the chains that kernels have retired.
  private func collect() {
    while let chain = mailbox.collect() { Self.free(chain) }
  }

  private static func free(_ pointer: UnsafeMutableRawPointer) {
    free(pointer.assumingMemoryBound(to: MIDIChain.self))
  }

  private static func free(_ chain: UnsafeMutablePointer<MIDIChain>) {
    chain.pointee.deallocate()
    chain.deallocate()
  }
}

/// An error for stages that a unit refused; its chain is unchanged.
public enum MIDIStagesError: Error, Sendable, Hashable, CustomStringConvertible {
  case tooManyStages(Int)
  /// The unit has no room for their parameters.
  case unit(AudioUnitError)
  /// The stages' parameters contradict the unit's own.
  case tree(ParameterTreeError)

  public var description: String {
    switch self {
    case .tooManyStages(let count):
      "\(count) MIDI stages; give at most \(MIDIChainLayout.maximumStageCount)"
    case .unit(let error): "the stages have \(error)"
    case .tree(let error): error.description
    }
  }
}
