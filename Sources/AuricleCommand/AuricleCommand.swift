// The command `auricle`: its subcommands and exit statuses.

public import ArgumentParser
import Configuration
import Platform
import Session

/// The command line: `auricle run`, `bounce`, `units` …
public struct AuricleCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "auricle",
    abstract: "A JACK client that hosts realtime audio units, exact to the frame.",
    version: programVersion,
    subcommands: [
      RunCommand.self, NewCommand.self, PlayCommand.self, RecordCommand.self, MonitorCommand.self,
      ControlCommand.self, TopCommand.self, WebCommand.self,
      BounceCommand.self, ConvertCommand.self, UnitsCommand.self, ValidateCommand.self,
      SoundFontCommand.self,
      PitchesCommand.self, ProbeCommand.self, DoctorCommand.self, ManualCommand.self,
      ReferenceCommand.self, WriteMetadataCommand.self,
    ])

  public init() {}

  /// Runs the command line.
  /// - Returns: the exit status.
  static func execute() async -> Int32 {
    do {
      do {
        var command = try parsed(SessionManager.arguments)
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        let text = fullMessage(for: error)
        // Help and version are no failures; all other errors of the parser are bad usage.
        guard exitCode(for: error) == .success else {
          throw CommandFailure(message: text, status: 2, isWhole: true)
        }
        // Includes completion scripts.
        try StandardOutput.writeData(text)
      }
      return 0
    } catch let failure as CommandFailure {
      StandardError.write(failure.isWhole ? failure.message : "auricle: \(failure.message)")
      return failure.status
    } catch {
      StandardError.write("auricle: \(error)")
      return 1
    }
  }
}

/// The message of a failed command and its exit status: 1 failed, 2 bad usage or bad configuration.
struct CommandFailure: Error {
  let message: String
  let status: Int32
  /// Whether the message needs no prefix "auricle: ".
  var isWhole = false

  /// - Parameter error: printed on one line, with control characters escaped.
  static func failed(_ error: any CustomStringConvertible) -> CommandFailure {
    CommandFailure(message: harmless(error.description, isOneLine: true), status: 1)
  }

  static func badConfiguration(_ error: ConfigurationError) -> CommandFailure {
    CommandFailure(message: error.description, status: 2)
  }
}

/// Runs a session's code and converts its errors.
/// - Throws: `CommandFailure` for a `SessionError`; other errors unchanged.
func reportingFailures(_ body: () async throws -> Void) async throws {
  do { try await body() } catch SessionError.configuration(let error) {
    throw CommandFailure.badConfiguration(error)
  } catch let error as SessionError {
    throw CommandFailure.failed(error)
  }
}
