// auricle ctl

import ArgumentParser
import ControlSocket
import Remotes
import SessionModel

struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "Show and change a running session.",
    discussion: """
      A PATH is a unit's id and the names of a parameter, with slashes: piano/midi/transpose/semitones. list \
      prints them.
      """,
    subcommands: [
      ListCommand.self, GetCommand.self, SetCommand.self, WatchCommand.self, BypassCommand.self,
      PresetCommand.self, LoadCommand.self, SoundCommand.self, EntryCommand.self,
      ConnectCommand.self,
      DisconnectCommand.self, InsertCommand.self, AddCommand.self, ReplaceCommand.self,
      RemoveCommand.self,
      PlacingCommand.self, MapCommand.self, UnmapCommand.self, LearnCommand.self, SceneCommand.self,
      TogetherCommand.self, NoteCommand.self, PanicCommand.self, ResponseCommand.self,
      StatusCommand.self, CheckCommand.self, JournalCommand.self, SaveCommand.self,
      UndoCommand.self, RedoCommand.self,
    ])
}

/// Options that choose the session and the format of its answer.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The session's JACK client name, if several run.", valueName: "name"),
    completion: .custom(completedSessions))
  var client: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Your name for the journal.", valueName: "name"))
  var name: String?

  @Flag(help: "Print JSON.")
  var json = false

  /// Sends a command to the session and prints the answer.
  ///
  /// - Parameter isPatient: whether to wait without a limit, for a user's action.
  func ask(_ command: SessionCommand, isPatient: Bool = false) throws {
    let answer = try Self.failing {
      try Self.ask(connect(), command, isPatient: isPatient)
    }
    try show(answer)
  }

  /// Connects to the session and sends this client's name. Every command does, so that each refuses
  /// an invalid name.
  func connect() throws -> ControlClient {
    let session = try ControlClient(session: client)
    if let name { _ = try Self.ask(session, .hello(name: name)) }
    return session
  }

  static func ask(
    _ session: ControlClient, _ command: SessionCommand, isPatient: Bool = false
  ) throws -> SessionAnswer {
    try session.send(SessionWire.encode(command))
    return try SessionWire.answer(try session.nextLine(isPatient: isPatient))
  }

  func show(_ answer: SessionAnswer) throws {
    if json { return try printJSON(answer) }
    if !answer.text.isEmpty { try StandardOutput.write(answer.text) }
  }

  /// Converts errors of the connection and the session to a failure with status 1.
  static func failing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ControlError {
      throw CommandFailure.failed(error)
    } catch let error as SessionCommandError {
      throw CommandFailure.failed(error)
    }
  }
}
