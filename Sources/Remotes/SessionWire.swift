// JSON lines of commands and answers.

import FoundationEssentials
import SessionModel

/// The lines between a session and its clients. Each line to the session is a command, each line
/// back an answer, an error or a notice.
public enum SessionWire {
  private struct Reply: Codable {
    var answer: SessionAnswer?
    var error: SessionCommandError?
    var change: ParameterReading?
    var bypass: BypassReading?
    var meters: MeterReading?
    var graph: GraphReading?
    var session: SessionReading?
    var load: LoadReading?
    var midi: MIDIReading?
    var spectra: SpectrumReading?
  }

  /// Returns a command as a line of JSON, without a line end.
  ///
  /// - Thread: [any]
  public static func encode(_ command: SessionCommand) -> [UInt8] { bytes(command) }

  static func encode(_ result: Result<SessionAnswer, SessionCommandError>) -> [UInt8] {
    switch result {
    case .success(let answer): bytes(Reply(answer: answer))
    case .failure(let error): bytes(Reply(error: error))
    }
  }

  static func encode(_ notice: SessionNotice) -> [UInt8] {
    switch notice {
    case .change(let reading): bytes(Reply(change: reading))
    case .bypass(let reading): bytes(Reply(bypass: reading))
    case .meters(let reading): NoticeText(reading).bytes
    case .graph(let reading): bytes(Reply(graph: reading))
    case .session(let reading): bytes(Reply(session: reading))
    case .load(let reading): bytes(Reply(load: reading))
    case .midi(let reading): MIDINotice(reading).bytes
    case .spectra(let reading): NoticeText(reading).bytes
    }
  }

  /// Reads a command from a line.
  ///
  /// - Throws: an error if the line is no valid command.
  package static func command(_ line: [UInt8]) throws(SessionCommandError) -> SessionCommand {
    do {
      return try JSONDecoder().decode(SessionCommand.self, from: Data(line))
    } catch let error as SessionCommandError {
      throw error
    } catch {
      throw SessionCommandError(
        "a request that is no JSON object", accepted: #"one a line, as {"command": "status"}"#)
    }
  }

  /// Reads an answer from a line.
  ///
  /// - Throws: the session's error, or an error if the line is no answer.
  /// - Thread: [any]
  public static func answer(_ line: [UInt8]) throws(SessionCommandError) -> SessionAnswer {
    let reply = try reply(line)
    if let error = reply.error { throw error }
    return reply.answer ?? .done
  }

  /// Returns the notice in a line; nil for another line.
  /// - Throws: the session's error, or an error if the line is no answer.
  /// - Thread: [any]
  public static func notice(_ line: [UInt8]) throws(SessionCommandError) -> SessionNotice? {
    let reply = try reply(line)
    if let error = reply.error { throw error }
    return reply.change.map { .change($0) } ?? reply.bypass.map { .bypass($0) }
      ?? reply.meters.map { .meters($0) } ?? reply.graph.map { .graph($0) }
      ?? reply.session.map { .session($0) } ?? reply.load.map { .load($0) }
      ?? reply.midi.map { .midi($0) } ?? reply.spectra.map { .spectra($0) }
  }

  private static func reply(_ line: [UInt8]) throws(SessionCommandError) -> Reply {
    guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(line)) else {
      throw SessionCommandError("the session answers what this program does not understand")
    }
    return reply
  }

  private static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // All values are finite numbers, texts and lists of them.
    guard let data = try? encoder.encode(value) else {
      preconditionFailure("a value that JSON does not have")
    }
    return Array(data)
  }
}
