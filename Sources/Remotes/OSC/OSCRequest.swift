// Requests in OSC messages.

import Configuration
import OSC
import SessionModel

/// The request of a message.
enum OSCRequest: Equatable {
  case command(SessionCommand)
  /// Asks for a unit's bypass, preset or entry; the answer has the message's own address.
  case unit(id: String, UnitQuestion)
  /// Plays or ends a note.
  case note(PlayedNote)
  /// Asks for the units.
  case units
  /// - Parameter port: the port at which the sender listens; nil for its own.
  case subscribe(paths: [String], port: Int?)
  /// Ends the subscriptions to the paths, or all.
  case unsubscribe(paths: [String], port: Int?)
  /// A released button: no request.
  case nothing

  enum UnitQuestion: Equatable { case bypass, preset, entry }
}

/// The subject of a request: of several waiting ones with the same subject, the last is kept.
enum OSCSubject: Hashable {
  case parameter(String)
  case unit(String, String)
  case panic
  case scene
  /// A question; each sender's questions are separate.
  case question(OSCPeer, String)
}

extension OSCRequest {
  /// The first part of the session's own addresses. No unit can have this id while the session
  /// listens.
  static let ownName = "auricle"

  /// - Throws: the error of the message.
  init(_ message: OSCMessage) throws(SessionCommandError) {
    guard message.address.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"#*,?[]{}".utf8.contains($0) })
    else {
      throw SessionCommandError(
        "an address with a pattern, a space or letters that OSC does not have",
        accepted: "one address, such as /piano/gain")
    }
    let parts = message.address.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    if parts.first == Substring(Self.ownName) {
      self = try OSCRequest(own: parts.dropFirst().map(String.init), OSCValues(message))
    } else {
      self = try OSCRequest(path: parts.joined(separator: "/"), OSCValues(message))
    }
  }

  /// Reads a request for a parameter's value, or to set it.
  private init(path: String, _ values: OSCValues) throws(SessionCommandError) {
    if values.isEmpty {
      self = .command(.list(path: path))
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, parts[1] == "note", values.count > 1 {
      self = .note(try values.note(for: String(parts[0])))
      return
    }
    try values.count(in: 1...2, "a value, and a ramp in milliseconds")
    self = .command(
      .set(
        path: path, value: try values.setting(0),
        rampMilliseconds: values.count > 1 ? try values.number(1, "a ramp in milliseconds") : nil))
  }

  /// Reads one of the session's own addresses, without its first part.
  private init(own parts: [String], _ values: OSCValues) throws(SessionCommandError) {
    let name = parts.first ?? ""
    if name == "meters" {
      throw SessionCommandError(
        "levels are sent only to subscribers",
        accepted: "/auricle/subscribe with /auricle/meters/UNIT, or /auricle/meters for all units")
    }
    if parts.count > 2 { throw Self.unknown(parts) }
    self =
      try parts.count == 2
      ? OSCRequest(name, of: parts[1], values) : OSCRequest(ofSession: name, values)
  }

  /// Reads the address of a unit, below the session's own.
  private init(
    _ name: String, of unit: String, _ values: OSCValues
  ) throws(SessionCommandError) {
    switch name {
    case "bypass":
      try values.count(in: 0...1, "1, 0, true or false")
      self =
        values.isEmpty
        ? .unit(id: unit, .bypass) : .command(.bypass(unit: unit, isOn: try values.flag(0)))
    case "preset":
      try values.count(in: 0...1, "a preset's name")
      self =
        values.isEmpty
        ? .unit(id: unit, .preset)
        : .command(.preset(unit: unit, .load(try values.text(0, "a preset's name"))))
    case "presets":
      try values.count(in: 0...0, "nothing")
      self = .command(.preset(unit: unit, .list))
    case "entry":
      try values.count(in: 0...1, "an entry's name or number")
      self =
        values.isEmpty
        ? .unit(id: unit, .entry) : .command(.entry(unit: unit, try values.entry(0)))
    default: throw Self.unknown([name, unit])
    }
  }

  private init(ofSession name: String, _ values: OSCValues) throws(SessionCommandError) {
    switch name {
    case "scene":
      try values.count(in: 1...1, "a scene's name")
      self = .command(.scene(.load(try values.text(0, "a scene's name"))))
    case "scenes":
      try values.count(in: 0...0, "nothing")
      self = .command(.scene(.list))
    case "bypass", "preset", "presets", "entry":
      throw SessionCommandError(
        "'/auricle/\(name)' without a unit", accepted: "/auricle/\(name)/UNIT")
    case "panic":
      try values.count(in: 0...1, "nothing, or 1")
      // A released button sends 0.
      let isPressed = values.isEmpty ? true : try values.flag(0)
      self = isPressed ? .command(.panic) : .nothing
    case "status":
      try values.count(in: 0...0, "nothing")
      self = .command(.status)
    case "save":
      try values.count(in: 0...0, "nothing: the session's own file is written")
      self = .command(.save(file: nil))
    case "undo", "redo":
      try values.count(in: 0...1, "nothing, or a number of steps")
      let steps = values.isEmpty ? 1 : try values.steps(0)
      self = .command(name == "undo" ? .undo(steps: steps) : .redo(steps: steps))
    case "list":
      try values.count(in: 0...1, "nothing, or a path")
      self = values.isEmpty ? .units : .command(.list(path: try values.path(0)))
    case "subscribe":
      let (paths, port) = try values.pathsAndPort()
      guard !paths.isEmpty else {
        throw SessionCommandError(
          "a subscription to nothing", accepted: "paths of units, groups or parameters")
      }
      self = .subscribe(paths: paths, port: port)
    case "unsubscribe":
      let (paths, port) = try values.pathsAndPort()
      self = .unsubscribe(paths: paths, port: port)
    case "soundfont":
      throw SessionCommandError(
        "'soundfont' is not for the network, which chooses no files",
        accepted: "auricle ctl soundfont")
    default: throw Self.unknown([name])
    }
  }

  private static func unknown(_ parts: [String]) -> SessionCommandError {
    .unknown(
      "address", "/auricle/" + parts.joined(separator: "/"), in: "this session",
      accepted: [
        "bypass/UNIT", "preset/UNIT", "presets/UNIT", "entry/UNIT", "scene", "scenes", "list",
        "panic", "status",
        "subscribe", "unsubscribe", "save", "undo", "redo",
      ].map { "/auricle/" + $0 })
  }

  /// Returns the request's subject; nil if each request counts.
  func subject(of peer: OSCPeer, _ message: OSCMessage) -> OSCSubject? {
    switch self {
    case .command(.set(let path, _, _, _, _)): .parameter(SessionPath(path).text)
    case .command(.bypass(let unit, _)): .unit("bypass", unit)
    case .command(.preset(let unit, .load)): .unit("preset", unit)
    case .command(.entry(let unit, _, _)): .unit("entry", unit)
    case .command(.panic): .panic
    case .command(.scene(.load)): .scene
    case .command(.undo), .command(.redo), .note: nil
    default: .question(peer, "\(message)")
    }
  }

  /// Returns the units whose levels a subscription to a path requests: nil if it is no such path.
  static func meters(_ path: String) -> [String]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.starts(with: [ownName, "meters"]), parts.count < 4 else { return nil }
    return [parts.count > 2 ? parts[2] : SessionCommand.allUnits]
  }

  /// Whether it ends a note.
  var isRelease: Bool {
    if case .note(let note) = self { note.velocity == 0 } else { false }
  }

  /// Whether it is executed on another thread than the session's, and may take long.
  var isSlow: Bool {
    switch self {
    case .command(.preset), .command(.entry), .command(.save), .command(.undo), .command(.redo),
      .command(.scene(.load)):
      true
    default: false
    }
  }
}
