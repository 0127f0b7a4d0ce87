// Units with keys that name files.

public import FoundationEssentials
import Glibc

/// A unit with keys that name files. The files are found, watched, and renamed in the keys when the
/// session is saved elsewhere.
public protocol FileNamingUnit: ConfigurableUnit {
  /// Returns the files that can be found.
  ///
  /// - Thread: [control]
  static func files(of keys: UnitKeys, _ context: ConfigurationContext) -> [ConfiguredFile]

  /// Changes the files' names so that they are found from a configuration in another folder.
  ///
  /// - Parameters:
  ///   - context: the context that the present names refer to.
  ///   - file: the configuration that the keys are for.
  ///   - name: returns a file's name there; nil to use its path.
  ///   - addsSums: whether to add the sizes and checksums of the files to the keys.
  /// - Thread: [control]
  static func rename(
    _ keys: inout UnitKeys, from context: ConfigurationContext, to file: URL,
    naming name: (URL) -> String?, addsSums: Bool
  ) throws(ConfigurationProblem)
}

/// A file named by a key.
///
/// - Thread: [any]
public struct ConfiguredFile: Sendable {
  /// A description: "a SoundFont".
  public let what: String
  public let url: URL
  /// A remark for the user, such as that the file has changed since the session was saved; nil for
  /// none.
  public let remark: String?
  /// The position of its name.
  public let location: SourcePosition

  public init(_ what: String, _ url: URL, remark: String? = nil, at location: SourcePosition) {
    self.what = what
    self.url = url
    self.remark = remark
    self.location = location
  }
}

/// A unit that plays a kind of file: `auricle play FILE`.
public protocol FilePlayingUnit: FileNamingUnit {
  /// Returns the file that a user names.
  ///
  /// - Thread: [control]
  static func locate(
    _ name: String, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) -> URL

  /// Returns the file that is played if the user names none: the system's usual one.
  ///
  /// - Thread: [control]
  static func usualFile(_ context: ConfigurationContext) throws(ConfigurationProblem) -> URL

  /// Returns the names of the files in the usual folders, as `locate` finds them.
  ///
  /// - Thread: [control], where a folder may take long to answer
  static func fileNames(_ context: ConfigurationContext) -> [String]

  /// Returns the keys of a unit that plays the file.
  ///
  /// - Parameters:
  ///   - name: the name as the user wrote it.
  ///   - choice: the sound to play from the file.
  /// - Thread: [control]
  static func keys(
    toPlay file: URL, named name: String, _ choice: SoundSelection
  ) throws(ConfigurationProblem) -> UnitKeys
}

/// The sound that a user selects in a file with several.
///
/// - Thread: [any]
public struct SoundSelection: Sendable {
  /// The name or number of a preset.
  public var preset: String?
  public var bank: Int?
  public var program: Int?

  /// The valid numbers of banks and programs.
  package static let banks = 0...16_383
  package static let programs = 0...127

  public init(preset: String? = nil, bank: Int? = nil, program: Int? = nil) {
    self.preset = preset
    self.bank = bank
    self.program = program
  }
}
