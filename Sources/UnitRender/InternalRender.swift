// The functions that a unit gives its host for rendering.

/// A unit's render function with its context. Counterpart of `internalRenderBlock`.
///
/// The functions are C functions made from annotated Swift functions on the unit's concrete kernel
/// type. They are called with the context, for a kernel a `KernelContext`.
public struct InternalRender: @unchecked Sendable {
  public let render: RenderFunction
  public let reset: ResetFunction
  public let context: UnsafeMutableRawPointer
  /// Whether the unit passes its input on itself while bypassed, with its usual latency.
  public let handlesBypass: Bool
  /// The functions of a time effect, whose input and output differ in frames; nil for other units.
  public let timeEffect: TimeEffectRender?

  public init(
    render: @escaping RenderFunction, reset: @escaping ResetFunction,
    context: UnsafeMutableRawPointer
  ) {
    self.init(render: render, reset: reset, context: context, handlesBypass: false)
  }

  /// Creates the functions of a time effect, which passes its input on itself while bypassed.
  public init(
    render: @escaping RenderFunction, reset: @escaping ResetFunction,
    context: UnsafeMutableRawPointer, timeEffect: TimeEffectRender
  ) {
    self.render = render
    self.reset = reset
    self.context = context
    self.timeEffect = timeEffect
    handlesBypass = true
  }

  /// - Parameter handlesBypass: whether the unit passes its input on itself while bypassed.
  public init(
    render: @escaping RenderFunction, reset: @escaping ResetFunction,
    context: UnsafeMutableRawPointer, handlesBypass: Bool
  ) {
    self.render = render
    self.reset = reset
    self.context = context
    self.handlesBypass = handlesBypass
    timeEffect = nil
  }
}
