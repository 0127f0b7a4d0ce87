// The views of units that pages show.

/// The files of open views, by random paths: who does not know the path cannot load them, so that
/// they need no cookie. Used on the event loop only.
struct OpenViews {
  /// The start of the paths of all views.
  static let root = "/view/"
  private static let script = "auricle-view.js"
  private static let nameBytes = 16

  private var views: [Substring: [String: PageFile]] = [:]

  /// Adds a view, and returns its path, which has 128 random bits.
  mutating func open(_ files: [String: [UInt8]]) -> String {
    let name = AccessKey.text((0..<Self.nameBytes).map { _ in .random(in: .min ... .max) })
    var served: [String: PageFile] = [:]
    for (name, bytes) in files {
      served[name] = PageFile(kind: .view, type: Self.type(of: name), bytes: bytes)
    }
    served[Self.script] = PageFile(
      kind: .view, type: Self.type(of: Self.script), bytes: PackageResources.auricle_view_js)
    views[name[...]] = served
    return "\(Self.root)\(name)/"
  }

  /// Removes a view by its path.
  mutating func close(_ path: String) {
    views[path.dropFirst(Self.root.count).dropLast()] = nil
  }

  /// The file of a path below `root`; nil if the view is closed or has no such file.
  func file(_ path: Substring) -> PageFile? {
    let parts = path.dropFirst(Self.root.count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return views[parts[0]]?[parts[1].isEmpty ? "index.html" : String(parts[1])]
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last?.lowercased() {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
    case "txt": "text/plain; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "webp": "image/webp"
    case "gif": "image/gif"
    case "woff2": "font/woff2"
    case "wasm": "application/wasm"
    default: "application/octet-stream"
    }
  }
}
