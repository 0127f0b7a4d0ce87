// What a unit does whose keys name files.

public import Foundation

/// A unit whose keys name files, which are found, watched over and named anew when a session is
/// saved elsewhere.
public protocol FileNamingUnit: ConfigurableUnit {
  /// The files that can be found.
  ///
  /// - Thread: [control]
  static func files(of keys: UnitKeys, _ context: ConfigurationContext) -> [ConfiguredFile]

  /// Gives the files names that lead to them from a configuration elsewhere.
  ///
  /// - Parameters:
  ///   - context: where they lead to them now.
  ///   - file: the configuration that the keys are for.
  ///   - name: what a file is called from there; nil for one that is to be named where it is.
  ///   - addsSums: whether the keys are to tell the files' contents, by sizes and sums.
  /// - Thread: [control]
  static func rename(
    _ keys: inout UnitKeys, from context: ConfigurationContext, to file: URL,
    naming name: (URL) -> String?, addsSums: Bool
  ) throws(ConfigurationProblem)
}

/// A file that a key names.
///
/// - Thread: [any]
public struct ConfiguredFile: Sendable {
  /// "a SoundFont".
  public let what: String
  public let url: URL
  /// What somebody has to know of it, such as that it is another file than when the session was
  /// saved.
  public let remark: String?
  /// Where it is named.
  public let location: SourcePosition

  public init(_ what: String, _ url: URL, remark: String? = nil, at location: SourcePosition) {
    self.what = what
    self.url = url
    self.remark = remark
    self.location = location
  }
}

/// A unit by which a kind of file is heard: `auricle play FILE`.
public protocol FilePlayingUnit: FileNamingUnit {
  /// The file that somebody names.
  ///
  /// - Thread: [control]
  static func locate(
    _ name: String, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) -> URL

  /// Keys for a unit that plays the file.
  ///
  /// - Parameters:
  ///   - name: as somebody has written it.
  ///   - choice: which of the file's sounds is wanted.
  /// - Thread: [control]
  static func keys(
    toPlay file: URL, named name: String, _ choice: SoundSelection
  ) throws(ConfigurationProblem) -> UnitKeys
}

/// A sound of a file with several, as somebody asks for it.
///
/// - Thread: [any]
public struct SoundSelection: Sendable {
  /// A name or a number.
  public var preset: String?
  public var bank: Int?
  public var program: Int?

  /// The numbers that banks and programs have.
  package static let banks = 0...16_383
  package static let programs = 0...127

  public init(preset: String? = nil, bank: Int? = nil, program: Int? = nil) {
    self.preset = preset
    self.bank = bank
    self.program = program
  }
}
