// A unit that is made of a render function.

public import UnitRender

/// Sound that a function makes, call by call: for a program that has samples of its own and needs
/// neither parameters nor events.
///
/// The function is called on the render thread, with the context. It is annotated with
/// `@_noLocks @_noAllocation`, and so held to the rules of the render side by the compiler; it
/// writes `frameCount` frames to each channel of `RenderCallView(call).output(0)` and returns 0.
/// What it makes of NaN or infinity, or a status below 0, silences the unit for a call and is
/// counted.
///
/// AUv3: `AVAudioSourceNode`.
public final class SourceUnit: AudioUnit, Mixing, @unchecked Sendable {
  public static let description = ComponentDescription(
    type: .generator, subtype: "srce", manufacturer: "Aurc")

  public let mixing = MixingProperties()
  private let functions: InternalRender
  private let free: @Sendable (UnsafeMutableRawPointer) -> Void

  /// - Parameters:
  ///   - channels: of the output, 1 to 1024.
  ///   - context: what the functions are called with.
  ///   - reset: called where the unit is reset, on the render thread; it is annotated, too.
  ///   - free: called once with the context, when the unit goes.
  /// - Throws: `BusError` for another number of channels.
  /// - Thread: [control]
  public init(
    channels: Int = 2, context: UnsafeMutableRawPointer, render: @escaping RenderFunction,
    reset: @escaping ResetFunction, free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) throws {
    functions = InternalRender(render: render, reset: reset, context: context)
    self.free = free
    let format = try AudioFormat(
      sampleRate: AudioFormat.standard.sampleRate, channelCount: channels)
    try super.init(
      componentDescription: Self.description,
      outputBusses: BusArray(
        .output,
        [Bus(.output, format: format, name: "Output", supportedChannelCounts: [channels])]),
      parameterTree: ParameterTree(children: []))
  }

  /// A source that has nothing to forget where it is reset.
  /// - Thread: [control]
  public convenience init(
    channels: Int = 2, context: UnsafeMutableRawPointer, render: @escaping RenderFunction,
    free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void = { _ in }
  ) throws {
    try self.init(
      channels: channels, context: context, render: render, reset: forgetNothing, free: free)
  }

  deinit { free(functions.context) }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(functions) {}
  }
}

@_noLocks @_noAllocation
private func forgetNothing(_ context: UnsafeMutableRawPointer) {}
