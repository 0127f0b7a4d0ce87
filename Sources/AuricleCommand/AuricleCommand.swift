// The command `auricle`: its subcommands, and how errors become exit statuses.

public import ArgumentParser
import Configuration
import Foundation
import Logging
import Session

/// The command line: `auricle run`, `bounce`, `units` …
public struct AuricleCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "auricle",
    abstract: "A JACK client that hosts realtime audio units, exact to the frame.",
    version: "0.1.0",
    subcommands: [
      RunCommand.self, BounceCommand.self, UnitsCommand.self, SoundFontCommand.self,
      ProbeCommand.self, DoctorCommand.self,
    ])

  public init() {}

  /// Runs the command line of this process with the built-in components alone; otherwise as
  /// `main(adding:)`.
  ///
  /// - Thread: [control], once, from the program's `main`.
  public static func main() async {
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let failure as CommandFailure {
      StandardError.write("auricle: \(failure.message)")
      Foundation.exit(failure.status)
    } catch {
      let text = fullMessage(for: error)
      // Help and version are no failures; everything else that the parser says is bad usage.
      if exitCode(for: error) == .success {
        StandardOutput.write(text)
        Foundation.exit(0)
      }
      StandardError.write(text)
      Foundation.exit(2)
    }
  }
}

/// Why a command failed, and the exit status: 1 failed, 2 bad usage or bad configuration.
struct CommandFailure: Error {
  let message: String
  let status: Int32

  static func failed(_ error: any CustomStringConvertible) -> CommandFailure {
    CommandFailure(message: error.description, status: 1)
  }

  static func badConfiguration(_ error: ConfigurationError) -> CommandFailure {
    CommandFailure(message: error.description, status: 2)
  }
}
