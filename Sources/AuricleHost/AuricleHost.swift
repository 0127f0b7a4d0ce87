// The library for hosts: graphs of units, sessions, the backends that render them, and the command.

/// `AuricleCommand.main(adding:)`: all commands, for components of one's own too.
@_exported import AuricleCommand
/// `ChorusUnit`, `CombUnit`, `CompressorUnit`, `DelayUnit`, `DistortionUnit`, `EQUnit`,
/// `FilterUnit`, `GateUnit`, `LimiterUnit`, `MIDIEffectUnit`, `MixerUnit`, `ReverbUnit`,
/// `SamplerUnit`, `ToneUnit`: the built-in units.
@_exported import CombUnit
@_exported import DelayUnit
@_exported import DistortionUnit
@_exported import DynamicsUnit
@_exported import EQUnit
@_exported import FilterUnit
/// `Graph`: units and their connections, and what they compile to.
@_exported import Graph
/// `JackClient`, `JackBackend`: a graph as a JACK client.
@_exported import JackBackend
@_exported import MIDIEffectUnit
@_exported import MixerUnit
/// `OfflineRenderer`: a graph without a clock.
@_exported import OfflineBackend
@_exported import SamplerUnit
/// `SessionBuilder`, `JackSession`, `Bounce`: sessions from configuration files.
@_exported import Session
@_exported import SpaceUnit
@_exported import ToneUnit
