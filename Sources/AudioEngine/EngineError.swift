// Errors of an engine.

import Configuration
import Session
import SessionModel
import UnitModel

/// The reason why an engine refused a call.
///
/// - Thread: [any]
public enum EngineError: Error, CustomStringConvertible {
  /// A channel count of the engine's input or output that is out of range.
  case channelCount(argument: String, count: Int)
  case notAttached(unit: String)
  /// Another client has removed the unit from the session, or replaced it there.
  case removed(id: String)
  case alreadyAttached(id: String)
  case badName(String)
  /// The engine's own nodes cannot be removed.
  case ownNode(id: String)
  case noSuchBus(id: String, bus: Int, count: Int, isInput: Bool)
  case noFreeInput(id: String, count: Int)
  case notConnected(id: String, isInput: Bool)
  case noMIDI(id: String, isInput: Bool)
  case format(id: String, reason: String)
  case notRunning
  /// An engine over JACK renders by itself; only one without a clock renders by `render`.
  case rendersByItself
  /// A refusal by the graph or JACK.
  case refused(reason: String)

  public var description: String {
    switch self {
    case .channelCount(let argument, let count):
      "the argument '\(argument)' is \(count); accepted: 1 to \(Engine.channelCounts.upperBound)"
    case .notAttached(let unit): "\(unit) is not attached to the engine: attach it first"
    case .removed(let id):
      "'\(id)' was removed from the session, or replaced there: attach it again"
    case .alreadyAttached(let id): "the unit is attached already, as '\(id)'"
    case .badName(let name):
      "\(quoted(name)) is no name for a unit: \(UnitName.accepted), and not another's"
    case .ownNode(let id): "'\(id)' is the engine's own and stays"
    case .noSuchBus(let id, let bus, let count, let isInput):
      "'\(id)' has no \(isInput ? "input" : "output") \(bus): it has \(count)"
    case .noFreeInput(let id, let count): "all \(count) inputs of '\(id)' are taken"
    case .notConnected(let id, let isInput):
      "nothing is connected \(isInput ? "to" : "from") '\(id)'"
    case .noMIDI(let id, let isInput):
      "'\(id)' \(isInput ? "takes" : "sends") no MIDI"
    case .format(let id, let reason): "'\(id)' cannot have that format: \(reason)"
    case .notRunning: "the engine is not running: start it first"
    case .rendersByItself: "an engine over JACK renders by itself"
    case .refused(let reason): reason
    }
  }
}

extension EngineError {
  /// Makes an error of a session's refusal, without a position in a file: a program's calls have
  /// none.
  static func refused(_ error: any Error) -> EngineError {
    if let error = error as? EngineError { return error }
    guard case SessionError.configuration(let error) = error else {
      return .refused(reason: SessionCommandError(error).description)
    }
    return .refused(reason: SessionCommandError(error).description)
  }
}
