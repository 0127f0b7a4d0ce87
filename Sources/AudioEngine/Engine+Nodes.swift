// Nodes that belong to the engine.

import Configuration
public import MixerUnit
import UnitModel

extension Engine {
  /// The engine's audio output, to JACK's physical outputs. It mixes up to 16 sources. The
  /// initializer sets its channels, two by default.
  ///
  /// A mono source reaches left and right unchanged (`MixerLayout.isMonoAtUnity`).
  ///
  /// It is created when first read, and again if another client has removed it from the session.
  ///
  /// AUv3: `outputNode`.
  public var outputNode: MixerUnit { state.withLock { output(&$0) } }

  private func output(_ state: inout State) -> MixerUnit {
    let (unit, isNew) = own(
      &state, \.output, Self.outputID,
      MixerLayout(inputs: 16, channels: outputChannels, isMonoAtUnity: true))
    if isNew {
      state.graph.connect(
        .bus(ObjectIdentifier(unit), 0), .outside(PortPattern(PhysicalPorts.outputs.text)))
    }
    return unit
  }

  /// The engine's audio input, from JACK's physical inputs. The initializer sets its channels, two
  /// by default. It is rendered only while it is connected to an active chain.
  ///
  /// Its volume, pan and position apply at the next mixer. An environment places a mono input.
  ///
  /// AUv3: `inputNode`.
  public var inputNode: MixerUnit {
    state.withLock { state in
      let (unit, isNew) = own(
        &state, \.input, Self.inputID,
        MixerLayout(inputs: 1, channels: inputChannels, ports: [inputChannels]))
      if isNew {
        state.graph.connect(
          .outside(PortPattern(PhysicalPorts.inputs.text)), .bus(ObjectIdentifier(unit), 0))
      }
      return unit
    }
  }

  /// A mixer for up to 256 sources, connected to the output. A mono source in the middle is 3 dB
  /// lower on each side.
  ///
  /// AUv3: `mainMixerNode`.
  public var mainMixerNode: MixerUnit {
    let (mixer, isNew) = state.withLock { state in
      let (mixer, isNew) = own(
        &state, \.mixer, Self.mixerID, MixerLayout(inputs: 256, channels: outputChannels))
      if isNew {
        let output = ObjectIdentifier(output(&state))
        let free = (0..<16).first { bus in
          !state.graph.links.contains { $0.to == .bus(output, bus) }
        }
        state.graph.connect(.bus(ObjectIdentifier(mixer), 0), .bus(output, free ?? 0))
      }
      return (mixer, isNew)
    }
    // Rendering follows before any later edit. If this edit is refused, the next one retries it.
    if isNew { Task { try? await edit("the main mixer connected") { _ in } } }
    return mixer
  }

  private func own(
    _ state: inout State, _ keyPath: WritableKeyPath<State, MixerUnit?>, _ id: String,
    _ layout: MixerLayout
  ) -> (unit: MixerUnit, isNew: Bool) {
    if let known = state.graph.node(id)?.unit {
      // A mixer put in its place by another client takes its role. A unit of another kind does not;
      // the error is reported when the former mixer is connected.
      if let unit = known as? MixerUnit { state[keyPath: keyPath] = unit }
      if let unit = state[keyPath: keyPath] { return (unit, false) }
    }
    // Layouts within their ranges are never refused.
    let unit = try! MixerUnit(layout)
    state[keyPath: keyPath] = unit
    state.graph.attach(unit, id: id)
    return (unit, true)
  }
}
