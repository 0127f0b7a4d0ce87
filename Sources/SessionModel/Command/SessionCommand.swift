// Commands for a running session.

public import Configuration
public import UnitModel

/// One command to a running session, sent by the shell, a controller or another program.
///
/// Units are named by their ids. A path is a unit's id and the key path of a parameter or a
/// parameter group, with slashes: `piano/midi/transpose/semitones`.
public enum SessionCommand: Sendable, Equatable {
  /// Names the client that sends it, for the journal; several clients may have the same name. The
  /// answer tells the session's version and abilities.
  case hello(name: String? = nil)
  /// Lists the units, or the parameters below a path.
  case list(path: String?)
  /// Returns the value of a parameter.
  case get(path: String)
  /// Sets a parameter at once or on a frame of the session, with or without a ramp. With
  /// `reportsFrame` the answer waits up to 1 s for the frame of the effect, and reports it.
  case set(
    path: String, value: SettingValue, rampMilliseconds: Double? = nil, frame: Int64? = nil,
    reportsFrame: Bool = false)
  /// Begins or ends a gesture on a parameter, such as holding a fader: the values that the same
  /// client sets meanwhile are one step of undo, also those of other parameters that move with it,
  /// as by a handle in two dimensions. A gesture ends with the client's connection.
  case gesture(path: String, isOn: Bool, with: [String] = [])
  /// Sends the parameters below the paths, and then each of their changes, whatever their source,
  /// and those of the bypasses of whole units; `*` stands for all units, also future ones. Also
  /// sends the levels of the units `meters` and the MIDI events of the units `midi`, `*` for all,
  /// and the spectra of at most eight units, about twenty times a second, and the topics at first
  /// and after each change. The spectra of those in `scopes` have the frames for a scope.
  case watch(
    paths: [String], meters: [String] = [], topics: [WatchTopic] = [], midi: [String] = [],
    spectra: [String] = [], scopes: [String] = [])
  /// Turns a unit's bypass on or off. A bypassed unit passes its input through, or is silent
  /// without one.
  case bypass(unit: String, isOn: Bool)
  /// Lists the presets of a unit, or loads, saves or deletes one.
  case preset(unit: String, PresetAction)
  /// Loads a SoundFont into a sampler, in place of its present sound.
  case soundFont(unit: String, file: String, bank: Int? = nil, program: Int? = nil)
  /// Selects an entry of a live set, by its name or its number.
  case entry(unit: String, EntryName, frame: Int64? = nil)
  /// Plays a channel message of MIDI at a unit, as its MIDI input does, at once or on a frame.
  /// Keys and pedals that a client holds are released when its connection ends.
  case midi(unit: String, bytes: [Int], frame: Int64? = nil)
  /// Lists the components, or the files in the usual folders that units of a component can play.
  case choices(of: String? = nil)
  /// Returns the frequency response of a unit, or its transfer curve, at frequencies in hertz or at
  /// levels in decibels; without them from 20 Hz to 20 kHz, or from −80 to 12 dB.
  case response(unit: String, at: [Double] = [])
  /// Returns a unit's own view, and which of the offered sizes it fits into.
  case view(unit: String, configurations: [ViewConfiguration] = [])
  /// Returns the waveform of the recording that a unit plays.
  case waveform(unit: String)
  /// Connects two ends, named as in `[[connect]]`.
  case connect(from: String, to: String)
  case disconnect(from: String, to: String)
  /// Adds a unit; the settings are `KEY=VALUE`, with keys of `[[unit]]`.
  case add(unit: String, component: String, settings: [String] = [])
  /// Replaces a unit and keeps its connections.
  case replace(unit: String, component: String, settings: [String] = [])
  /// Removes a unit with its connections; its tail may ring out.
  case remove(unit: String, ringsOut: Bool = false)
  /// Notes where the user has placed a unit's box; nil for a place that is forgotten.
  case place(unit: String, BoxPosition?)
  /// Lists the mappings from controllers to parameters and triggers.
  case mappings
  /// Maps a controller to a parameter or trigger; settings are `KEY=VALUE`, with keys of `[[map]]`.
  case map(path: String, settings: [String])
  /// Removes the mappings of a parameter or trigger.
  case unmap(path: String)
  /// Lists the scenes, or loads, saves or deletes one.
  case scene(SceneAction)
  /// Sets several parameters on one frame, or changes several units and connections at once;
  /// applies all of it or nothing.
  case together([SessionCommand], frame: Int64? = nil)
  /// Maps the control that is moved next to a parameter or trigger; the settings are as for `map`.
  case learn(path: String, settings: [String], LearnOptions)
  /// Ends all notes and tails, also notes sent to other clients.
  case panic
  /// Returns the session's status.
  case status
  /// Returns the changes from a frame on, those from a number on, or the last ones.
  case journal(since: Int64? = nil, from: Int? = nil)
  /// Writes the session to a file with an absolute path, or to its own file.
  case save(file: String?)
  /// Undoes the last changes, the last one first, or in their place all changes after one of the
  /// journal.
  case undo(steps: Int = 1, to: Int? = nil)
  /// Redoes undone changes.
  case redo(steps: Int)

  /// The text that stands for all units in a watch.
  package static let allUnits = "*"

  /// A part of a session that can be watched.
  public enum WatchTopic: String, Sendable, Codable, CaseIterable {
    /// Units, ports and connections.
    case graph
    /// Load and xruns, once a second.
    case load
    /// File, presets, scenes, mappings and missing ports.
    case session
  }

  /// Options of `learn`: the timeout, and whether keys count as controls.
  public struct LearnOptions: Sendable, Equatable {
    public static let seconds = 1...3_600
    public static let usualSeconds = 30

    /// The time to wait for a control; nil for `usualSeconds`.
    public var timeoutSeconds: Int?
    /// Whether keys count as controls.
    public var takesNotes: Bool

    public init(timeoutSeconds: Int? = nil, takesNotes: Bool = false) {
      self.timeoutSeconds = timeoutSeconds
      self.takesNotes = takesNotes
    }
  }

  /// An action on presets.
  public enum PresetAction: Sendable, Equatable {
    case list
    case load(String)
    /// Saves the unit's state as a user preset, replacing an earlier one of that name.
    case save(String)
    case delete(String)
  }

  /// An action on scenes.
  public enum SceneAction: Sendable, Equatable {
    case list
    /// Sets everything as saved: soon, or on a frame of the session.
    case load(String, frame: Int64? = nil)
    /// Saves the units' values, bypasses, entries and connections, replacing an earlier scene of
    /// that name. With paths of units, groups or parameters it saves only these, no connections.
    case save(String, paths: [String] = [])
    case delete(String)
  }

  /// The name or number of an entry.
  public enum EntryName: Sendable, Equatable {
    case name(String)
    case number(Int)
  }
}
