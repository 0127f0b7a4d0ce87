// The check of each request.

import NIOHTTP1

/// The result of checking a request.
enum RequestVerdict {
  case serve(PageFile)
  /// Gives a cookie, and leads to the first page.
  case admit(cookie: String)
  /// Leads to the first page.
  case redirect
  /// Gives a cookie, and nothing else.
  case pair(cookie: String)
  /// Shows a page that asks for a pairing code, in place of the one that needs the cookie.
  case askForCode(PageFile)
  /// Opens a WebSocket.
  case upgrade(Access)
  case refuse(HTTPResponseStatus, String)
}

/// Checks the heads of requests. All of it is decided by the head: requests have no body.
struct RequestGate {
  let key: AccessKey
  let cookieName: String
  private let names: HostCheck
  private var codes: AccessCodes
  private var pairingCodes: PairingCodes
  /// Whether other machines reach the server. Only those pair.
  private let hasPairing: Bool
  /// The views that pages show.
  var views = OpenViews()

  static let socketPath = "/socket"
  static let pairPath = "/pair"
  /// The field that has the digits of a pairing code. Other pages cannot send one.
  static let codeField = "auricle-code"
  /// The files that the form for a pairing code needs.
  private static let formFiles: Set = ["/pair.js", "/page.css"]

  init(_ key: AccessKey, _ address: ListeningAddress, port: Int, names: [String]) {
    self.key = key
    (codes, pairingCodes) = (AccessCodes(key), PairingCodes(key))
    hasPairing = !address.isLoopback
    cookieName = address.isChosen ? "auricle_\(port)" : "auricle"
    self.names = HostCheck(address, port: port, names: names)
  }

  /// Checks a request. Uses up the code of an address, if it has one.
  mutating func judge(
    _ head: HTTPRequestHead, now: Int64 = AccessCode.now()
  ) -> RequestVerdict {
    let (path, query) = HostCheck.parts(of: head.uri)
    if path.hasPrefix(OpenViews.root) {
      if let refusal = names.refusal(ofView: head) { return refusal }
      guard let file = views.file(path[...]) else {
        return .refuse(.notFound, "This view is closed, or has no such file.")
      }
      return .serve(file)
    }
    let isPairing = hasPairing && head.method == .POST && path == Self.pairPath
    let refusal = names.refusal(
      head, needsOrigin: isPairing || path == Self.socketPath, mayVisit: path == "/",
      mayPost: isPairing)
    if let refusal { return refusal }
    if isPairing { return pair(head, now: now) }
    let access = access(head)
    if path == "/", let code = Self.code(query) {
      // A look by HEAD must not use it up.
      if head.method == .GET, let access = codes.take(code, now: now) {
        return .admit(cookie: cookie(access))
      }
      if access != nil { return .redirect }
    }
    guard let access else { return withoutAccess(path) }
    if path == Self.socketPath { return .upgrade(access) }
    guard let file = PageFile.all[path] else { return .refuse(.notFound, "There is no such page.") }
    return .serve(file)
  }

  /// Takes the pairing code of a request.
  private mutating func pair(_ head: HTTPRequestHead, now: Int64) -> RequestVerdict {
    let fields = head.headers[Self.codeField]
    switch pairingCodes.take(fields.count == 1 ? fields[0] : "", now: now) {
    case .access(let access): return .pair(cookie: cookie(access))
    case .wrong:
      return .refuse(
        .unauthorized,
        "This code is wrong, used or expired. Every half minute there is another one: "
          + "auricle web --link")
    case .closed(let seconds):
      return .refuse(
        .tooManyRequests,
        "Too many codes were wrong: none is accepted for \(seconds) s. An address still works: "
          + "auricle web --link")
    }
  }

  private func withoutAccess(_ path: String) -> RequestVerdict {
    if hasPairing, path == "/", let form = PageFile.all["/pair.html"] { return .askForCode(form) }
    if hasPairing, Self.formFiles.contains(path), let file = PageFile.all[path] {
      return .serve(file)
    }
    return .refuse(
      .unauthorized, "This address is used up or expired. For another one: auricle web --link")
  }

  private func cookie(_ access: Access) -> String { "\(cookieName)=\(key.cookie(access))" }

  private func access(_ head: HTTPRequestHead) -> Access? {
    for pair in head.headers["cookie"].flatMap({ $0.split(separator: ";") }) {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, Self.trimmed(parts[0]) == cookieName else { continue }
      if let access = key.access(cookie: Self.trimmed(parts[1])) { return access }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  private static func code(_ query: Substring) -> Substring? {
    query.hasPrefix("code=") ? query.dropFirst("code=".count) : nil
  }
}
