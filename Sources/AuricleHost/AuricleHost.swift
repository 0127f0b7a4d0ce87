// The library for hosts: graphs of units, sessions, the backends that render them, and the command.

/// `Engine`: units that a program connects, over JACK or by the call.
@_exported import AudioEngine
/// `AuricleCommand.main(adding:)`: all commands, for components of one's own too.
@_exported import AuricleCommand
/// `BuiltInComponents`: the list of what comes with Auricle.
@_exported import BuiltInUnits
/// `ChorusUnit`, `CombUnit`, `CompressorUnit`, `DelayUnit`, `DistortionUnit`, `EQUnit`,
/// `EnvironmentUnit`, `FilterUnit`, `GateUnit`, `LimiterUnit`, `MIDIEffectUnit`, `MixerUnit`,
/// `RecorderUnit`, `ReverbUnit`, `SamplerUnit`, `ScheduledPlayerUnit`, `TimePitchUnit`,
/// `ToneUnit`, `VarispeedUnit`: the built-in units.
@_exported import CombUnit
@_exported import DelayUnit
@_exported import DistortionUnit
@_exported import DynamicsUnit
@_exported import EQUnit
@_exported import EnvironmentUnit
@_exported import FilterUnit
/// `Graph`: units and their connections, and what they compile to.
@_exported import Graph
/// `JackClient`, `JackBackend`: a graph as a JACK client.
@_exported import JackBackend
/// `JackSession.init(_:_:log:)`: a session as a JACK client.
@_exported import JackHost
@_exported import MIDIEffectUnit
/// `AudioClip`, `AudioFileReader`, `AudioFileWriter`, `MIDIFile`: what is in files.
@_exported import MediaFiles
@_exported import MixerUnit
/// `OfflineRenderer`: a graph without a clock.
@_exported import OfflineBackend
@_exported import RecorderUnit
/// `SessionSocket`, `SessionOSC`: by whom others reach a session.
@_exported import Remotes
@_exported import SamplerUnit
@_exported import ScheduledPlayer
/// `JackSession`: a session that runs.
@_exported import Session
/// `SessionBuilder`, `SessionPlan`, `SessionDocument`: sessions as values.
@_exported import SessionModel
@_exported import SpaceUnit
@_exported import TimePitchUnit
@_exported import TimeUnit
@_exported import ToneUnit
/// `Bounce`, `Recording`, `PlayedSession`, `Probe`, `FileConversion`: what is done with sessions
/// and files.
@_exported import Tools
