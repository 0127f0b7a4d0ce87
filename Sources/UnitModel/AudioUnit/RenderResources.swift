// What a unit allocates for rendering, and how it is freed.

import UnitRender

/// A unit's render function with the memory behind it, freed when the last reference goes.
///
/// AUv3: what a unit makes in `allocateRenderResources` and captures in its `internalRenderBlock`.
public final class RenderResources: @unchecked Sendable {
  /// The render and reset functions with their context.
  ///
  /// - Thread: [any]
  public let internalRender: InternalRender
  private let free: () -> Void

  /// Resources of any kind.
  ///
  /// - Parameter free: Frees what `internalRender` points to. Called once, when nothing renders. It
  ///   must not refer to the unit, which holds these resources.
  /// - Thread: [control]
  public init(_ internalRender: InternalRender, free: @escaping () -> Void) {
    self.internalRender = internalRender
    self.free = free
  }

  /// A kernel, with output memory of its own for calls that bring none.
  ///
  /// - Parameters:
  ///   - unit: Gives the output busses and the maximum number of frames.
  ///   - render: An annotated function that calls `driveKernel(Kernel.self, …)`.
  ///   - reset: An annotated function that calls `resetKernel(Kernel.self, …)`.
  /// - Thread: [control]
  public convenience init<Kernel: RenderKernel & ~Copyable>(
    _ kernel: consuming Kernel, for unit: AudioUnit, render: @escaping RenderFunction,
    reset: @escaping ResetFunction
  ) {
    let context = KernelContext.allocate(
      kernel, outputChannels: unit.outputBusses.map(\.format.channelCount),
      maximumFrames: unit.maximumFramesToRender)
    self.init(
      InternalRender(
        render: render, reset: reset, context: context, handlesBypass: Kernel.handlesBypass())
    ) {
      KernelContext.deallocate(context, of: Kernel.self)
    }
  }

  /// The kernel of a time effect, likewise.
  ///
  /// - Parameters:
  ///   - functions: what asks for its input, with its bounds.
  /// - Thread: [control]
  public convenience init<Kernel: TimeEffectKernel & ~Copyable>(
    timeEffect kernel: consuming Kernel, for unit: AudioUnit, functions: TimeEffectRender,
    render: @escaping RenderFunction, reset: @escaping ResetFunction
  ) {
    let context = KernelContext.allocate(
      kernel, outputChannels: unit.outputBusses.map(\.format.channelCount),
      maximumFrames: unit.maximumFramesToRender)
    self.init(
      InternalRender(render: render, reset: reset, context: context, timeEffect: functions)
    ) {
      KernelContext.deallocate(context, of: Kernel.self)
    }
  }

  deinit { free() }
}
