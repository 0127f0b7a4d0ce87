// A unit made from a render function.

public import UnitRender

/// A generator whose audio a function renders, call by call. For programs with their own samples
/// that need neither parameters nor events.
///
/// The function is called on the render thread, with the context. It is annotated with
/// `@_noLocks @_noAllocation`, so the compiler holds it to the rules of the render side. It writes
/// `frameCount` frames to each channel of `RenderCallView(call).output(0)` and returns 0. NaN or
/// infinity in its output, or a status below 0, silences the unit for a call and is counted.
///
/// AUv3: `AVAudioSourceNode`.
public final class SourceUnit: AudioUnit, Mixing, @unchecked Sendable {
  public static let description = ComponentDescription(
    type: .generator, subtype: "srce", manufacturer: "Aurc")

  public let mixing = MixingProperties()
  private let functions: InternalRender
  private let free: @Sendable (UnsafeMutableRawPointer) -> Void

  /// Makes a source of two functions and their context.
  ///
  /// - Parameters:
  ///   - channels: of the output, 1 to 1024.
  ///   - context: the argument of all functions.
  ///   - reset: called when the unit is reset, on the render thread; it is annotated too.
  ///   - free: called once with the context, when the unit is deallocated.
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

  /// Makes a source without state to reset.
  /// - Throws: as the other initializer.
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
