// The check of each request.

import NIOHTTP1

/// The result of checking a request.
enum RequestVerdict {
  case serve(PageFile)
  /// Gives a cookie, and leads to the first page.
  case admit(cookie: String)
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
  private let names: HostCheck
  private var codes: AccessCodes
  /// The views that pages show.
  var views = OpenViews()

  static let socketPath = "/socket"

  init(_ key: AccessKey, _ address: ListeningAddress, port: Int, names: [String]) {
    self.key = key
    codes = AccessCodes(key)
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
    let refusal = names.refusal(head, needsOrigin: path == Self.socketPath, mayVisit: path == "/")
    if let refusal { return refusal }
    let access = access(head)
    if path == "/", let code = Self.code(query) {
      // A look by HEAD must not use it up.
      if head.method == .GET, let access = codes.take(code, now: now) {
        return .admit(cookie: "\(cookieName)=\(key.cookie(access))")
      }
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
