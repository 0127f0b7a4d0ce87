// The library for unit developers: the unit model and the render contract.

/// `ConfigurableUnit`, for a unit with its own keys in configurations.
@_exported import Configuration
/// `MIDIChain`, its layout and its player, for a kernel that receives MIDI through stages.
@_exported import MIDIStages
/// The stages' settings as parameters, `MIDIChainUnit`, `MIDIChainHost`.
@_exported import MIDIStagesModel
/// `PropertyListValue`: the values of a unit's state.
@_exported import PropertyLists
/// Types for kernels on the render thread: rings, atomic values, sample buffers, frame time.
@_exported import Realtime
/// `DirectHost`: renders a unit into arrays.
@_exported import UnitHost
/// `AudioUnit`, busses, parameters, presets, the component registry.
@_exported import UnitModel
/// `RenderKernel`, `driveKernel`, render calls, events and buffers.
@_exported import UnitRender
