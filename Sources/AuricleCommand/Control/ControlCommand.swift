// auricle ctl

import ArgumentParser
import ControlSocket
import Foundation
import Remotes
import SessionModel

struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "See and change a session that runs.",
    discussion: """
      A PATH is a unit's id and the names of a parameter, with slashes: piano/midi/transpose/semitones. list tells \
      what there is.
      """,
    subcommands: [
      ListCommand.self, GetCommand.self, SetCommand.self, WatchCommand.self, BypassCommand.self,
      PresetCommand.self, LoadCommand.self, EntryCommand.self, ConnectCommand.self,
      DisconnectCommand.self, AddCommand.self, ReplaceCommand.self, RemoveCommand.self,
      MapCommand.self, UnmapCommand.self, LearnCommand.self, SceneCommand.self,
      TogetherCommand.self, PanicCommand.self,
      StatusCommand.self, JournalCommand.self, SaveCommand.self,
      UndoCommand.self, RedoCommand.self,
    ])
}

/// Which session is meant, and how its answer is shown.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The session's JACK client name, where several run.", valueName: "name"))
  var client: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Your name, which the journal has with your changes.", valueName: "name"))
  var name: String?

  @Flag(help: "Print JSON.")
  var json = false

  /// Has the session carry a command out, and prints the answer.
  ///
  /// - Parameter isPatient: whether the answer waits for somebody's hands.
  func ask(_ command: SessionCommand, isPatient: Bool = false) throws {
    let answer = try Self.failing {
      try Self.ask(connect(), command, isPatient: isPatient)
    }
    try show(answer)
  }

  /// The session, as a client that has told its name: whatever it asks then, so that a name that
  /// cannot be is refused by every command.
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

  /// What fails between this process and the session is status 1.
  static func failing<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as ControlError {
      throw CommandFailure.failed(error)
    } catch let error as SessionCommandError {
      throw CommandFailure.failed(error)
    }
  }
}
