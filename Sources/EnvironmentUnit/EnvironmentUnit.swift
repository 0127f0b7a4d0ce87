// The environment's control side.

public import DSP
import Synchronization
public import UnitModel
import UnitRender

/// A 3D mixer: it places mono sources in a space around a listener. Sources can be added and
/// removed during playback. Inputs of two channels are passed through, more are refused. The output
/// has two channels.
///
/// The space is right-handed, in metres: x to the right, y up, z towards the listener, whose
/// initial position is 0 and direction −z. Each source has an algorithm that places it: equal power
/// (`SpatialPanning.equalPower`), a spherical head (`SphericalHead`), the measured responses of a
/// head (`HeadResponses`), a sound field (`SpatialPanning.soundField`), or none. `DistanceModel`
/// attenuates by distance. Obstruction muffles the placed sound, occlusion also the reverb send,
/// both by `Muffling`. All sources share one reverb, with a filter on its output.
///
/// Every number ramps. A value set without a ramp is reached within 20 ms. Changes of the
/// algorithm, and of the direction of measured responses, crossfade. With more than 16 inputs at
/// most 16 crossfade to other responses at once; the others begin up to 10 ms later for each 16
/// before them. A bypassed environment adds its inputs unplaced, without reverb.
///
/// The latency is 0. At a head, the path around it delays a sound by at most 0.7 ms; measured
/// responses have up to 0.2 ms before their onset.
///
/// Parameters: `volume`; `listener.x`, `.y`, `.z`, `.yaw`, `.pitch`, `.roll`; `distance.model`,
/// `.reference`, `.maximum`, `.rollOff`; `reverb.on`, `.preset`, `.level`, `.filter.kind`,
/// `.frequency`, `.gain`, `.bandwidth`, `.bypass`; and for each input `inputs.N.x`, `.y`, `.z`,
/// `.volume`, `.algorithm`, `.reverbBlend`, `.obstruction`, `.occlusion`, and `.pan`, which is kept
/// without effect.
///
/// AUv3: the unit of `AVAudioEnvironmentNode`.
public final class EnvironmentUnit: AudioUnit, @unchecked Sendable {
  public static let component = component(EnvironmentLayout())

  static func component(_ layout: EnvironmentLayout) -> Component {
    Component(
      description: ComponentDescription(type: .mixer, subtype: "envr", manufacturer: "Aurc"),
      name: "Environment", shortName: "environment", unitType: EnvironmentUnit.self,
      tags: ["Spatial"]
    ) { description, _ in
      try EnvironmentUnit(layout, componentDescription: description)
    }
  }

  /// The layout chosen at initialisation.
  ///
  /// - Thread: [any]
  public let layout: EnvironmentLayout
  private let responsePath = Mutex(HeadResponseFile.defaultPath)
  private let responseMemory = Mutex<HeldMemory?>(nil)

  /// Makes an environment without render resources.
  ///
  /// - Parameter layout: the most inputs, and the inputs with ports.
  /// - Throws: `ParameterTreeError`, `BusError`.
  /// - Thread: [control]
  public init(
    _ layout: EnvironmentLayout = EnvironmentLayout(),
    componentDescription: ComponentDescription = EnvironmentUnit.component.description
  ) throws {
    self.layout = layout
    try super.init(
      componentDescription: componentDescription,
      inputBusses: BusArray(
        .input, count: layout.ports.count, maximumBusCount: layout.inputs, isOpen: true
      ) { index throws(BusError) in
        try Bus(
          .input,
          format: AudioFormat(
            sampleRate: AudioFormat.standard.sampleRate,
            channelCount: layout.portChannels(of: index)),
          name: "Input \(index + 1)",
          supportedChannelCounts: Array(EnvironmentLayout.channelCounts))
      },
      outputBusses: BusArray(
        .output, [Bus(.output, name: "Output", supportedChannelCounts: [2])]),
      parameterTree: EnvironmentTree.make(inputs: layout.inputs))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.any] }

  public override var factoryPresets: [Preset] {
    EnvironmentPreset.allCases.enumerated().map { Preset(number: $0, name: $1.rawValue) }
  }

  /// Returns values of the space only: the listener and the sources stay.
  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    guard EnvironmentPreset.allCases.indices.contains(preset.number) else { return [:] }
    return EnvironmentPreset.allCases[preset.number].values
  }

  // MARK: The listener

  private func value(_ index: Int) -> Double { Double(parameterValues[index]) }

  private func set(_ index: Int, to value: Double) {
    parameterTree.parameter(address: ParameterAddress(index))?.value = Float(value)
  }

  /// The listener's position, in metres; each coordinate is limited to ±100,000.
  ///
  /// AUv3: `listenerPosition`.
  /// - Thread: [control]
  public var listenerPosition: SpatialVector {
    get {
      let first = EnvironmentAddresses.listener
      return SpatialVector(x: value(first), y: value(first + 1), z: value(first + 2))
    }
    set {
      let first = EnvironmentAddresses.listener
      set(first, to: newValue.x)
      set(first + 1, to: newValue.y)
      set(first + 2, to: newValue.z)
    }
  }

  /// The listener's orientation, as angles in degrees.
  ///
  /// AUv3: `listenerAngularOrientation`.
  /// - Thread: [control]
  public var listenerOrientation: ListenerOrientation {
    get {
      let first = EnvironmentAddresses.listener + 3
      return ListenerOrientation(
        yaw: value(first), pitch: value(first + 1), roll: value(first + 2))
    }
    set {
      let first = EnvironmentAddresses.listener + 3
      set(first, to: newValue.yaw)
      set(first + 1, to: newValue.pitch)
      set(first + 2, to: newValue.roll)
    }
  }

  /// The listener's orientation, as the vectors of `listenerOrientation`.
  ///
  /// AUv3: `listenerVectorOrientation`.
  /// - Thread: [control]
  public var listenerAxes: ListenerAxes { listenerOrientation.axes }

  /// Sets the listener's orientation by vectors.
  ///
  /// - Throws: `ListenerOrientationError` for vectors without an orientation.
  ///
  /// AUv3: `listenerVectorOrientation`.
  /// - Thread: [control]
  public func setListener(
    front: SpatialVector, up: SpatialVector
  ) throws(ListenerOrientationError) {
    listenerOrientation = try ListenerOrientation(front: front, up: up)
  }

  /// Moves the source of an input, counted from 0, to a position in metres. Inputs out of range are
  /// ignored, and each coordinate is limited to ±100,000.
  ///
  /// AUv3: `AVAudio3DMixing.position`.
  /// - Thread: [control]
  public func setPosition(ofInput input: Int, to position: SpatialVector) {
    guard (0..<layout.inputs).contains(input) else { return }
    let first = EnvironmentAddresses.input(input)
    set(first, to: position.x)
    set(first + 1, to: position.y)
    set(first + 2, to: position.z)
  }

  // MARK: Measured responses

  /// The path of the SOFA file with the responses of the algorithm HRTF.
  ///
  /// - Thread: [any]
  public var headResponsePath: String { responsePath.withLock { $0 } }

  /// Sets the file with the responses, from the next allocation of render resources on.
  ///
  /// - Throws: `HeadResponseError`; the former file then stays.
  /// - Thread: [control]
  public func setHeadResponses(path: String) throws(HeadResponseError) {
    _ = try HeadResponseFile(path: path)
    responsePath.withLock { $0 = path }
  }

  // MARK: Rendering

  /// The tail of muffling and placement, in seconds, and, if the reverb is on, also that of the
  /// reverb and its filter.
  public override var tailTime: Double {
    var tail = 0.0
    for input in 0..<layout.inputs {
      let first = EnvironmentAddresses.input(input)
      let occlusion = value(first + EnvironmentAddresses.occlusion)
      let obstruction = value(first + EnvironmentAddresses.obstruction)
      tail = max(
        tail, Muffling.tailSeconds(decibels: occlusion),
        Muffling.tailSeconds(decibels: obstruction + occlusion))
      let algorithm = Int(value(first + EnvironmentAddresses.algorithm))
      if algorithm == SourceAlgorithm.sphericalHead { tail = max(tail, 0.002) }
      if algorithm == SourceAlgorithm.headResponses {
        tail = max(tail, HeadResponses.seconds + 0.003)
      }
    }
    if value(EnvironmentAddresses.reverbOn) < 0.5 { return tail }
    let room = ReverbPreset(place: Int(value(EnvironmentAddresses.reverbPreset))).room()
    return tail + 0.1 + Double(room.decay) * 100 / 60
      + Equalizer.tailSeconds([filter], sampleRate: outputBusses[0].format.sampleRate)
  }

  private var filter: Equalizer.Band {
    let first = EnvironmentAddresses.filter
    var band = Equalizer.Band()
    band.kind = EqualizerBandKind(place: Int(value(first)))
    band.frequencyHertz = value(first + 1)
    band.gainDecibels = value(first + 2)
    band.bandwidthOctaves = value(first + 3)
    band.isBypassed = value(first + 4) >= 0.5
    return band
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let rate = outputBusses[0].format.sampleRate
    guard (8000...384_000).contains(rate) else {
      throw .failed("it runs at 8000 to 384000 frames per second, and not at \(Int(rate))")
    }
    let responses: HeadResponses
    do throws(HeadResponseError) {
      responses = try HeadResponseCache.responses(path: headResponsePath, sampleRate: rate)
    } catch {
      throw .failed(error.description)
    }
    let memory = HeldMemory(
      .responses, byteCount: responses.lattice.byteCount, sharedAs: "\(headResponsePath) \(rate)")
    responseMemory.withLock { $0 = memory }
    let kernel = EnvironmentKernel(
      sourceCount: layout.inputs, lattice: responses.lattice, filter: filter, sampleRate: rate,
      maximumFrames: maximumFramesToRender, values: parameterValues,
      parameters: parameterTree.allParameters.map(\.limits),
      isBypassed: shouldBypassEffect)
    return RenderResources(
      kernel, for: self, render: environmentRender, reset: environmentReset
    ) {
      // The kernel reads memory that belongs to them.
      withExtendedLifetime(responses) {}
    }
  }
}

extension EnvironmentUnit: MemoryHolding {
  /// The responses used for rendering, shared with other units of the same file; empty without
  /// render resources.
  public var heldMemory: [HeldMemory] {
    renderResourcesAllocated ? [responseMemory.withLock { $0 }].compactMap(\.self) : []
  }
}
