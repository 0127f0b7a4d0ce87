// The nodes that an engine has of its own.

public import MixerUnit
import UnitModel

extension Engine {
  /// Where sound leaves the engine: two channels, to JACK's physical outputs. Whatever is connected
  /// to it comes into its channels as into a mixer's.
  ///
  /// It comes into being when it is first asked for.
  ///
  /// AUv3: `outputNode`.
  public var outputNode: MixerUnit {
    state.withLock { state in
      own(&state, \.output, Self.outputID, MixerLayout(inputs: 16, channels: 2))
    }
  }

  /// Where sound comes into the engine: two channels, from JACK's physical inputs. It is rendered
  /// only where something is connected to it.
  ///
  /// AUv3: `inputNode`.
  public var inputNode: MixerUnit {
    state.withLock { state in
      own(&state, \.input, Self.inputID, MixerLayout(inputs: 1, channels: 2, ports: [2]))
    }
  }

  /// A mixer of up to 256 sources that is connected to the output.
  ///
  /// AUv3: `mainMixerNode`.
  public var mainMixerNode: MixerUnit {
    let (mixer, isNew) = state.withLock { state in
      if let mixer = state.mixer { return (mixer, false) }
      let mixer = own(&state, \.mixer, Self.mixerID, MixerLayout(inputs: 256, channels: 2))
      _ = own(&state, \.output, Self.outputID, MixerLayout(inputs: 16, channels: 2))
      let taken = state.graph.connections.filter { $0.to.id == Self.outputID }.map(\.to.bus)
      let free = (0..<16).first { !taken.contains($0) } ?? 0
      state.graph.connections.append(
        EngineGraph.Connection(
          from: EngineGraph.End(id: Self.mixerID, bus: 0),
          to: EngineGraph.End(id: Self.outputID, bus: free)))
      return (mixer, true)
    }
    // What is rendered follows, before whatever is asked for next; what is refused now is tried
    // again with that.
    if isNew { Task { try? await edit("the main mixer connected") { _ in } } }
    return mixer
  }

  private func own(
    _ state: inout State, _ place: WritableKeyPath<State, MixerUnit?>, _ id: String,
    _ layout: MixerLayout
  ) -> MixerUnit {
    if let unit = state[keyPath: place] { return unit }
    // Layouts within their ranges are never refused.
    let unit = try! MixerUnit(layout)
    state[keyPath: place] = unit
    state.graph.nodes.append(EngineGraph.Node(id: id, unit: unit))
    return unit
  }
}
