// The library for unit developers: the unit model and the render contract.

/// What a kernel may use on the render thread: rings, atomic values, sample buffers, frame time.
@_exported import Realtime
/// `AudioUnit`, busses, parameters, presets, the component registry.
@_exported import UnitModel
/// `RenderKernel`, `driveKernel`, render calls, events and buffers.
@_exported import UnitRender
