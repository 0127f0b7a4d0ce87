// What a unit hands to its host for rendering.

/// A unit's render function with its context. Counterpart of `internalRenderBlock`.
///
/// The functions are C functions made from annotated Swift functions on the unit's concrete kernel
/// type; the context is what they are called with, for a kernel a `KernelContext`.
public struct InternalRender: @unchecked Sendable {
  public let render: RenderFunction
  public let reset: ResetFunction
  public let context: UnsafeMutableRawPointer

  public init(
    render: @escaping RenderFunction, reset: @escaping ResetFunction,
    context: UnsafeMutableRawPointer
  ) {
    self.render = render
    self.reset = reset
    self.context = context
  }
}
