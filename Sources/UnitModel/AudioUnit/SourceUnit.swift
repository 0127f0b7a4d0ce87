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
/// The function is not a closure: a closure's captures may lock, allocate or retain, and the
/// compiler does not check a stored closure for that. What it would capture is the context.
///
/// AUv3: `AVAudioSourceNode`.
public final class SourceUnit: AudioUnit, Mixing, @unchecked Sendable {
  public static let description = ComponentDescription(
    type: .generator, subtype: "srce", manufacturer: "Aurc")

  public let mixing = MixingProperties()
  private let functions: InternalRender
  private let prepare: @Sendable (AudioFormat) -> Void
  private let free: @Sendable (UnsafeMutableRawPointer) -> Void

  private init(
    channels: Int, _ functions: InternalRender,
    prepare: @escaping @Sendable (AudioFormat) -> Void,
    free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) throws {
    (self.functions, self.prepare, self.free) = (functions, prepare, free)
    let format = try AudioFormat(
      sampleRate: AudioFormat.standard.sampleRate, channelCount: channels)
    try super.init(
      componentDescription: Self.description,
      outputBusses: BusArray(
        .output,
        [Bus(.output, format: format, name: "Output", supportedChannelCounts: [channels])]),
      parameterTree: ParameterTree(children: []))
  }

  /// Makes a source of a state and a render function, whose context points to the state.
  ///
  /// - Parameters:
  ///   - channels: of the output, 1 to 1024.
  ///   - state: freed with the unit. It stays when the unit is disconnected and connected again.
  ///   - reset: called when the unit is reset, on the render thread; it is annotated too. The
  ///     default is for a state without anything to reset.
  ///   - prepare: prepares the state for the output's format, on the control side: before the
  ///     first rendering, and again before it resumes, also at another sample rate. It may allocate
  ///     and lock.
  /// - Throws: `BusError` for another number of channels.
  /// - Thread: [control]
  public convenience init<State: ~Copyable>(
    channels: Int = 2, state: consuming sending State,
    reset: @escaping ResetFunction = forgetNothing, render: @escaping RenderFunction,
    prepare: @escaping @Sendable (inout State, AudioFormat) -> Void = { _, _ in }
  ) throws {
    let pointer = UnsafeMutablePointer<State>.allocate(capacity: 1)
    pointer.initialize(to: state)
    let context = UnsafeMutableRawPointer(pointer)
    let address = UInt(bitPattern: context)
    let free: @Sendable (UnsafeMutableRawPointer) -> Void = {
      $0.assumingMemoryBound(to: State.self).deinitialize(count: 1)
      $0.deallocate()
    }
    do {
      try self.init(
        channels: channels,
        InternalRender(render: render, reset: reset, context: context),
        prepare: { format in
          guard let state = UnsafeMutablePointer<State>(bitPattern: address) else { return }
          prepare(&state.pointee, format)
        }, free: free)
    } catch {
      free(context)
      throw error
    }
  }

  /// Makes a source of two functions and their context.
  ///
  /// - Parameters:
  ///   - channels: of the output, 1 to 1024.
  ///   - context: the argument of all functions.
  ///   - reset: called when the unit is reset, on the render thread; it is annotated too.
  ///   - free: called once with the context, when the unit is deallocated.
  /// - Throws: `BusError` for another number of channels.
  /// - Thread: [control]
  public convenience init(
    channels: Int = 2, context: UnsafeMutableRawPointer, render: @escaping RenderFunction,
    reset: @escaping ResetFunction, free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) throws {
    try self.init(
      channels: channels, InternalRender(render: render, reset: reset, context: context),
      prepare: { _ in }, free: free)
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
    prepare(outputBusses[0].format)
    return RenderResources(functions) {}
  }
}

/// The reset function of a source without anything to reset.
@_noLocks @_noAllocation @usableFromInline
func forgetNothing(_ context: UnsafeMutableRawPointer) {}
