// The modules and types that the libraries export, as their sources declare them.

import Foundation

/// The exports of `Auricle` and `AuricleHost`.
struct LibraryExports {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The modules exported whole.
  let modules: [String]
  /// The types of other modules, exported one by one: `DSP.SpatialVector`.
  let types: [String]

  init() throws {
    let text = try ["Auricle", "AuricleHost"].map {
      try String(
        contentsOf: Self.root.appendingPathComponent("Sources/\($0)/\($0).swift"), encoding: .utf8)
    }.joined()
    modules = text.matches(of: /@_exported import (\w+)\n/).map { String($0.1) }
    types = text.matches(of: /@_exported import (?:struct|enum|class) (\w+\.\w+)\n/).map {
      String($0.1)
    }
  }

  /// The files of the modules, and those named after the types.
  var sources: [URL] {
    modules.flatMap(Self.sources)
      + types.flatMap { type in
        let parts = type.split(separator: ".")
        return Self.sources(of: String(parts[0])).filter {
          $0.lastPathComponent.prefix { $0 != "." && $0 != "+" } == parts[1]
        }
      }
  }

  /// Returns a module's Swift files.
  static func sources(of module: String) -> [URL] {
    let folder = root.appendingPathComponent("Sources/\(module)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
  }
}
