// What a unit hands to its host for rendering.

/// A unit's render function with its context. Counterpart of `internalRenderBlock`.
///
/// The functions are C functions made from annotated Swift functions on the unit's concrete kernel
/// type; the context is what they are called with, for a kernel a `KernelContext`.
public struct InternalRender: @unchecked Sendable {
  public let render: RenderFunction
  public let reset: ResetFunction
  public let context: UnsafeMutableRawPointer
  /// Whether it passes its input on by itself, as late as it is otherwise, while it is bypassed.
  public let handlesBypass: Bool
  /// What asks for input in other numbers of frames than are put out; nil for other units.
  public let timeEffect: TimeEffectRender?

  public init(
    render: @escaping RenderFunction, reset: @escaping ResetFunction,
    context: UnsafeMutableRawPointer
  ) {
    self.init(render: render, reset: reset, context: context, handlesBypass: false)
  }

  /// The functions of a time effect, which passes its input on by itself while it is bypassed.
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

  /// - Parameter handlesBypass: whether the unit passes its input on by itself.
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
