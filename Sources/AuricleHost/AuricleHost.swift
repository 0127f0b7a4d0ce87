// The library for hosts: graphs of units, sessions, the backends that render them, and the command.

/// `Engine`: units that a program connects, over JACK or by the call.
@_exported import AudioEngine
/// `AuricleCommand.main(adding:)`: all commands, also for your own components.
@_exported import AuricleCommand
/// `BuiltInComponents`: the list of built-in components.
@_exported import BuiltInUnits
/// `ChorusUnit`, `CombUnit`, `CompressorUnit`, `DelayUnit`, `DistortionUnit`, `EQUnit`,
/// `EnvironmentUnit`, `FilterUnit`, `GateUnit`, `LimiterUnit`, `MIDIEffectUnit`, `MixerUnit`,
/// `RecorderUnit`, `ReverbUnit`, `SamplerUnit`, `ScheduledPlayerUnit`, `TimePitchUnit`,
/// `ToneUnit`, `VarispeedUnit`: the built-in units.
@_exported import Effects
@_exported import EnvironmentUnit
/// `Graph`: units, their connections, and their compiled form.
@_exported import Graph
/// `JackClient`, `JackBackend`: a graph as a JACK client.
@_exported import JackBackend
/// `JackSession.init(_:_:log:)`: a session as a JACK client.
@_exported import JackHost
@_exported import MIDIEffectUnit
/// `AudioClip`, `AudioFileReader`, `AudioFileWriter`, `MIDIFile`: contents of files.
@_exported import MediaFiles
@_exported import MixerUnit
/// `OfflineRenderer`: renders a graph without a clock.
@_exported import OfflineBackend
/// `ScheduleOptions`, `PlayerTime`, `PlaybackReport`: the sounds of a `ScheduledPlayerUnit`.
@_exported import Players
@_exported import RecorderUnit
/// `SessionSocket`, `SessionOSC`: remote control of a session.
@_exported import Remotes
@_exported import SamplerUnit
/// `JackSession`: a running session.
@_exported import Session
/// `SessionBuilder`, `SessionPlan`, `SessionDocument`: sessions as values.
@_exported import SessionModel
/// `SoundFontEntry`, `SoundFontPreset`, `SoundFontError`: contents and errors of SoundFont files.
@_exported import SoundFontFiles
@_exported import TimePitchUnit
/// `Bounce`, `Recording`, `PlayedSession`, `Probe`, `FileConversion`: tools for sessions and files.
@_exported import Tools

@_exported import struct ArgumentParser.CommandConfiguration
@_exported import struct CJack.JackPortFlags
@_exported import var CJack.JackPortIsInput
@_exported import var CJack.JackPortIsOutput
@_exported import var CJack.JackPortIsPhysical
@_exported import enum ControlSocket.ControlError
@_exported import struct ControlSocket.ControlFolder
@_exported import enum DSP.DistanceModel
@_exported import enum DSP.EqualizerBandKind
@_exported import struct DSP.HeadMeasurement
@_exported import struct DSP.ListenerAxes
@_exported import enum DSP.ReverbPreset
@_exported import struct DSP.SpatialVector
@_exported import class GraphRender.RenderHelper
@_exported import struct GraphRender.Schedule
@_exported import enum GraphRender.SecondCore
@_exported import struct Logging.Logger
