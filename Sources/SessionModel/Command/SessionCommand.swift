// What a running session can be asked to do.

public import Configuration

/// One act on a running session, whoever asks for it: the shell, a controller, another program.
///
/// Units are named by their ids; paths are a unit's id and the key path of a parameter or a group
/// of it, with slashes: `piano/midi/transpose/semitones`.
public enum SessionCommand: Sendable, Equatable {
  /// Names the client that sends it, for the journal; several may have one name.
  case hello(name: String)
  /// Tells the units, or the parameters below a path.
  case list(path: String?)
  /// Tells the value of a parameter.
  case get(path: String)
  /// Sets a parameter: at once, or on a frame of the session; at once too, or in a ramp. The answer
  /// may wait until it can tell the frame.
  case set(
    path: String, value: SettingValue, rampMilliseconds: Double? = nil, frame: Int64? = nil,
    tellsFrame: Bool = false)
  /// Tells the parameters below the paths, and then each of their changes, whatever makes them.
  case watch(paths: [String])
  /// Has a unit pass its input on, or be silent where it has none.
  case bypass(unit: String, isOn: Bool)
  /// Tells the presets of a unit, or does something with one.
  case preset(unit: String, PresetAction)
  /// Loads a SoundFont into a sampler, in the place of what it has.
  case soundFont(unit: String, file: String, bank: Int? = nil, program: Int? = nil)
  /// Selects an entry of a live set, by its name or its number.
  case entry(unit: String, EntryName, frame: Int64? = nil)
  /// Connects two ends as `[[connect]]` names them.
  case connect(from: String, to: String)
  case disconnect(from: String, to: String)
  /// Adds a unit; the settings are `KEY=VALUE`, with keys of `[[unit]]`.
  case add(unit: String, component: String, settings: [String] = [])
  /// Puts a unit in the place of another, with its connections.
  case replace(unit: String, component: String, settings: [String] = [])
  /// Removes a unit with its connections; its tail may ring out.
  case remove(unit: String, ringsOut: Bool = false)
  /// Tells which controllers move which parameters.
  case mappings
  /// Has a controller move a parameter; the settings are `KEY=VALUE`, with keys of `[[map]]`.
  case map(path: String, settings: [String])
  /// Has no controller move a parameter any more.
  case unmap(path: String)
  /// Tells the scenes, or does something with one.
  case scene(SceneAction)
  /// Sets several parameters on one frame, or changes several units and connections at once; all of
  /// it or nothing.
  case together([SessionCommand], frame: Int64? = nil)
  /// Has the control that is moved next move a parameter; the settings are as for `map`.
  case learn(path: String, settings: [String], LearnOptions)
  /// Ends all notes and tails, also those sent to others.
  case panic
  /// Tells how the session does.
  case status
  /// Tells what has changed, from a frame on, or last.
  case journal(since: Int64?)
  /// Writes the session into a file, by its absolute path, or into its own.
  case save(file: String?)
  /// Takes back the last changes, the last one first.
  case undo(steps: Int)
  /// Makes changes again that were taken back.
  case redo(steps: Int)

  /// What counts as a control that is moved.
  public struct LearnOptions: Sendable, Equatable {
    public static let seconds = 1...3_600
    public static let usualSeconds = 30

    /// How long to wait for it; nil for the usual time.
    public var timeoutSeconds: Int?
    /// Whether keys are controls.
    public var takesNotes: Bool

    public init(timeoutSeconds: Int? = nil, takesNotes: Bool = false) {
      self.timeoutSeconds = timeoutSeconds
      self.takesNotes = takesNotes
    }
  }

  /// What may be done with presets.
  public enum PresetAction: Sendable, Equatable {
    case list
    case load(String)
    /// Over an earlier one of the user's that has the name.
    case save(String)
    case delete(String)
  }

  /// What may be done with scenes.
  public enum SceneAction: Sendable, Equatable {
    case list
    /// Sets everything as it was saved: soon, or on a frame of the session.
    case load(String, frame: Int64? = nil)
    /// What units are set to and how they are connected, over an earlier one that has the name;
    /// with paths of units, groups or parameters what these are set to alone.
    case save(String, paths: [String] = [])
    case delete(String)
  }

  /// How an entry is called.
  public enum EntryName: Sendable, Equatable {
    case name(String)
    case number(Int)
  }
}
