// The check of requests before they reach a session.

/// A request that a browser may not make.
struct RequestRefusal: Error, Equatable {
  let message: String
  var accepted: String?

  /// The error as an object of the control protocol.
  var value: JSONValue {
    var object = ["message": JSONValue.text(message)]
    if let accepted { object["accepted"] = .text(accepted) }
    return .object(object)
  }
}

/// Checks requests of the control protocol. Unknown commands are refused: what is new there is
/// looked at first.
enum RequestPolicy {
  private static let reading: Set = [
    "list", "get", "watch", "status", "journal", "choices", "response", "view",
    "waveform",
  ]
  private static let changing: Set = [
    "set", "gesture", "bypass", "preset", "soundfont", "entry", "midi", "connect", "disconnect",
    "add",
    "replace", "remove", "place", "map", "unmap", "learn", "scene", "together", "panic", "save",
    "undo",
    "redo",
  ]
  private static let namesAccepted =
    "names without '..', '\\' and '~', that do not begin with '/'"

  /// - Throws: `RequestRefusal`
  static func check(_ request: [String: JSONValue], _ access: Access) throws(RequestRefusal) {
    guard let command = request["command"]?.text else {
      throw RequestRefusal(message: "a request without a command")
    }
    guard reading.contains(command) || changing.contains(command) else {
      throw RequestRefusal(message: "browsers cannot request '\(command)'")
    }
    if access == .guest && !isReading(command, request) {
      throw RequestRefusal(message: "guests only look", accepted: "requests that change nothing")
    }
    try checkFiles(command, request)
    // A session refuses a `together` within another one.
    for part in request["commands"]?.list ?? [] {
      guard let part = part.object, part["command"]?.text != "together" else {
        throw RequestRefusal(message: "a part of 'together' is no command")
      }
      try check(part, access)
    }
  }

  private static func isReading(_ command: String, _ request: [String: JSONValue]) -> Bool {
    switch command {
    case "preset", "scene": request["action"]?.text == "list"
    case "map": Set(request.keys) == ["command"]
    default: reading.contains(command)
    }
  }

  /// Refuses names of files outside of the session's folder and of those that it searches.
  private static func checkFiles(
    _ command: String, _ request: [String: JSONValue]
  ) throws(RequestRefusal) {
    switch command {
    case "save":
      if let file = request["file"], file != .null {
        throw RequestRefusal(
          message: "browsers save a session to its own file", accepted: "'save' without 'file'")
      }
    case "soundfont":
      if let file = request["file"]?.text { try checkFile(file) }
    case "add", "replace":
      for setting in request["settings"]?.list ?? [] {
        guard let text = setting.text else { continue }
        try checkSetting(text)
      }
    case "preset", "scene":
      if let name = request["name"]?.text { try checkFile(name) }
    default: break
    }
  }

  private static func checkFile(_ name: String) throws(RequestRefusal) {
    guard isInside(name) else {
      throw RequestRefusal(
        message: "browsers cannot name the file '\(name)'", accepted: namesAccepted)
    }
  }

  /// Checks all texts in a setting, which may be a list or a table of TOML.
  private static func checkSetting(_ setting: String) throws(RequestRefusal) {
    let value = setting.split(separator: "=", maxSplits: 1).last ?? ""
    let ends = Set<Character>("\"'[]{},= \t\r\n")
    for part in value.split(whereSeparator: { ends.contains($0) }) { try checkFile(String(part)) }
  }

  private static func isInside(_ name: String) -> Bool {
    let scalars = Array(name.unicodeScalars)
    return scalars.first != "/" && !scalars.contains { $0 == "\\" || $0 == "~" || $0.value < 32 }
      && !zip(scalars, scalars.dropFirst()).contains { $0 == "." && $1 == "." }
  }
}
