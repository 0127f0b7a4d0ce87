// The check of each request.

import NIOHTTP1

/// The result of checking a request.
enum RequestVerdict {
  case serve(PageFile)
  /// Gives the cookie of an access, and leads to the first page.
  case admit(Access)
  /// Leads to the first page.
  case redirect
  /// Opens a WebSocket.
  case upgrade(Access)
  case refuse(HTTPResponseStatus, String)
}

/// Checks the heads of requests. All of it is decided by the head: requests have no body.
struct RequestGate {
  let key: AccessKey
  let cookieName: String
  /// The accepted values of the field `Host`, each with the values of `Origin` that are its own.
  let hosts: [String: Set<String>]
  private var codes: AccessCodes

  static let socketPath = "/socket"

  init(_ key: AccessKey, _ address: ListeningAddress, port: Int, names: [String]) {
    self.key = key
    codes = AccessCodes(key)
    cookieName = address.isChosen ? "auricle_\(port)" : "auricle"
    var hosts: [String: Set<String>] = [:]
    if !address.isWildcard {
      let host = "\(address.urlHost):\(port)"
      hosts[host] = ["http://\(host)"]
      if port == 80 { hosts[address.urlHost] = ["http://\(address.urlHost)"] }
    }
    // A proxy may add TLS, and listen to the usual ports.
    for name in names.map({ $0.lowercased() }) {
      for host in [name, "\(name):\(port)"] { hosts[host] = ["http://\(host)", "https://\(host)"] }
    }
    self.hosts = hosts
  }

  /// Checks a request. Uses up the code of an address, if it has one.
  mutating func judge(
    _ head: HTTPRequestHead, now: Int64 = AccessCode.now()
  ) -> RequestVerdict {
    if let refusal = refusal(head) { return refusal }
    let (path, query) = Self.parts(of: head.uri)
    let access = access(head)
    if path == "/", let code = Self.code(query) {
      // A look by HEAD must not use it up.
      if head.method == .GET, let access = codes.take(code, now: now) { return .admit(access) }
      if access != nil { return .redirect }
    }
    guard let access else {
      return .refuse(
        .unauthorized, "This address is used up or expired. For another one: auricle web --link")
    }
    if path == Self.socketPath { return .upgrade(access) }
    guard let file = PageFile.all[path] else { return .refuse(.notFound, "There is no such page.") }
    return .serve(file)
  }

  /// The refusal of a request for its fields, whoever sent it.
  private func refusal(_ head: HTTPRequestHead) -> RequestVerdict? {
    let named = head.headers["host"]
    guard named.count == 1, let origins = hosts[named[0].lowercased()] else {
      return .refuse(.misdirectedRequest, "This server has another name; see --host.")
    }
    guard head.method == .GET || head.method == .HEAD else {
      return .refuse(.methodNotAllowed, "Only GET and HEAD are accepted.")
    }
    if head.headers.contains(name: "transfer-encoding")
      || head.headers["content-length"].contains(where: { $0 != "0" })
    {
      return .refuse(.payloadTooLarge, "Requests have no body.")
    }
    let path = Self.parts(of: head.uri).path
    let origin = head.headers["origin"]
    guard
      origin.isEmpty ? path != Self.socketPath : origin.count == 1 && origins.contains(origin[0])
    else { return .refuse(.forbidden, "Another page has sent this request.") }
    let sites = head.headers["sec-fetch-site"]
    guard sites.isEmpty || sites == ["same-origin"] || sites == ["none"] && Self.isVisit(head, path)
    else { return .refuse(.forbidden, "Another page has sent this request.") }
    return nil
  }

  /// Whether a user went to the first page.
  private static func isVisit(_ head: HTTPRequestHead, _ path: String) -> Bool {
    let modes = head.headers["sec-fetch-mode"]
    return path == "/" && (modes.isEmpty || modes == ["navigate"])
  }

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

  private static func parts(of uri: String) -> (path: String, query: Substring) {
    guard let mark = uri.firstIndex(of: "?") else { return (uri, "") }
    return (String(uri[..<mark]), uri[uri.index(after: mark)...])
  }

  private static func code(_ query: Substring) -> Substring? {
    query.hasPrefix("code=") ? query.dropFirst("code=".count) : nil
  }
}
