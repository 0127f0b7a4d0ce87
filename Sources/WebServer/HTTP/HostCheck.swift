// The check of the names in requests.

import NIOHTTP1

/// The names of a listener. Requests under other names, and of other pages, are refused.
struct HostCheck {
  /// The accepted values of the field `Host`, each with the values of `Origin` that are its own.
  private let hosts: [String: Set<String>]

  /// - Parameters:
  ///   - names: further names, such as a proxy's, with and without the port.
  ///   - own: names of this machine, with the port only.
  init(_ address: ListeningAddress, port: Int, names: [String], own: [String] = []) {
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
    for name in own {
      let host = "\(name.lowercased()):\(port)"
      hosts[host, default: []].insert("http://\(host)")
    }
    self.hosts = hosts
  }

  /// The refusal of a request for its fields, whoever sent it.
  ///
  /// - Parameters:
  ///   - needsOrigin: whether only a page may send it.
  ///   - mayVisit: whether a user may go there by a browser.
  ///   - mayPost: whether it may be a POST, which has no body either.
  func refusal(
    _ head: HTTPRequestHead, needsOrigin: Bool, mayVisit: Bool, mayPost: Bool = false
  ) -> RequestVerdict? {
    if let refusal = refusal(form: head, mayPost: mayPost) { return refusal }
    let origin = head.headers["origin"]
    guard origin.isEmpty ? !needsOrigin : origin.count == 1 && origins(head).contains(origin[0])
    else { return Self.foreign }
    let sites = head.headers["sec-fetch-site"]
    guard
      sites.isEmpty || sites == ["same-origin"]
        || sites == ["none"] && mayVisit && Self.isVisit(head)
    else { return Self.foreign }
    return nil
  }

  /// The refusal of a request for a file of a unit's view. Its files are asked for by the view
  /// itself, which has the origin "null", or by the page that shows it.
  func refusal(ofView head: HTTPRequestHead) -> RequestVerdict? {
    if let refusal = refusal(form: head) { return refusal }
    let origin = head.headers["origin"]
    guard origin.isEmpty || origin == ["null"] else { return Self.foreign }
    guard head.headers["sec-fetch-dest"] != ["document"] else {
      return .refuse(.forbidden, "A view is only shown on the page.")
    }
    return nil
  }

  private static let foreign = RequestVerdict.refuse(
    .forbidden, "Another page has sent this request.")

  private func origins(_ head: HTTPRequestHead) -> Set<String> {
    let named = head.headers["host"]
    return named.count == 1 ? hosts[named[0].lowercased()] ?? [] : []
  }

  private func refusal(
    form head: HTTPRequestHead, mayPost: Bool = false
  ) -> RequestVerdict? {
    guard !origins(head).isEmpty else {
      return .refuse(.misdirectedRequest, "This server has another name; see --host.")
    }
    guard head.method == .GET || head.method == .HEAD || head.method == .POST && mayPost else {
      return .refuse(.methodNotAllowed, "Only GET and HEAD are accepted.")
    }
    if head.headers.contains(name: "transfer-encoding")
      || head.headers["content-length"].contains(where: { $0 != "0" })
    {
      return .refuse(.payloadTooLarge, "Requests have no body.")
    }
    return nil
  }

  /// Whether a user went to the page.
  private static func isVisit(_ head: HTTPRequestHead) -> Bool {
    let modes = head.headers["sec-fetch-mode"]
    return modes.isEmpty || modes == ["navigate"]
  }

  /// Splits the target of a request at its question mark.
  static func parts(of uri: String) -> (path: String, query: Substring) {
    guard let mark = uri.firstIndex(of: "?") else { return (uri, "") }
    return (String(uri[..<mark]), uri[uri.index(after: mark)...])
  }
}
