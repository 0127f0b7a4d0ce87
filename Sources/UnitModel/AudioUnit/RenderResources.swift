// Memory that a unit allocates for rendering.

import UnitRender

/// A unit's render function and its memory, freed with the last reference.
///
/// AUv3: the memory that a unit makes in `allocateRenderResources` and captures in its
/// `internalRenderBlock`.
public final class RenderResources: @unchecked Sendable {
  /// The render and reset functions with their context.
  ///
  /// - Thread: [any]
  public let internalRender: InternalRender
  private let free: () -> Void

  /// Resources with a custom `free`.
  ///
  /// - Parameter free: Frees the memory that `internalRender` points to. Called once, after
  ///   rendering has ended. It must not refer to the unit, which holds these resources.
  /// - Thread: [control]
  public init(_ internalRender: InternalRender, free: @escaping () -> Void) {
    self.internalRender = internalRender
    self.free = free
  }

  /// Resources of a kernel, with output memory for calls that supply none. The values of its
  /// parameter events are within the ranges that the parameters have now.
  ///
  /// - Parameters:
  ///   - unit: Supplies the output busses, the parameters and the maximum number of frames.
  ///   - render: An annotated function that calls `driveKernel(Kernel.self, …)`.
  ///   - reset: An annotated function that calls `resetKernel(Kernel.self, …)`.
  ///   - freeOthers: Frees further memory that the kernel uses, after the kernel itself. It must
  ///     not refer to the unit.
  /// - Thread: [control]
  public convenience init<Kernel: RenderKernel & ~Copyable>(
    _ kernel: consuming Kernel, for unit: AudioUnit, render: @escaping RenderFunction,
    reset: @escaping ResetFunction, freeOthers: @escaping () -> Void = {}
  ) {
    let context = KernelContext.allocate(kernel, for: unit)
    self.init(
      InternalRender(
        render: render, reset: reset, context: context, handlesBypass: Kernel.handlesBypass())
    ) {
      KernelContext.deallocate(context, of: Kernel.self)
      freeOthers()
    }
  }

  /// Resources of a time effect's kernel, as those of other kernels.
  ///
  /// - Parameters:
  ///   - functions: the functions that request its input, with their bounds.
  /// - Thread: [control]
  public convenience init<Kernel: TimeEffectKernel & ~Copyable>(
    timeEffect kernel: consuming Kernel, for unit: AudioUnit, functions: TimeEffectRender,
    render: @escaping RenderFunction, reset: @escaping ResetFunction
  ) {
    let context = KernelContext.allocate(kernel, for: unit)
    self.init(
      InternalRender(render: render, reset: reset, context: context, timeEffect: functions)
    ) {
      KernelContext.deallocate(context, of: Kernel.self)
    }
  }

  deinit { free() }
}

extension KernelContext {
  /// Allocates a context with the output busses, the parameters and the frames of a unit.
  fileprivate static func allocate<Kernel: RenderKernel & ~Copyable>(
    _ kernel: consuming Kernel, for unit: AudioUnit
  ) -> UnsafeMutablePointer<KernelContext> {
    allocate(
      kernel, outputChannels: unit.outputBusses.map(\.format.channelCount),
      maximumFrames: unit.maximumFramesToRender,
      parameters: Dictionary(
        uniqueKeysWithValues: unit.parameterTree.allParameters.map { ($0.address, $0.limits) }))
  }
}
