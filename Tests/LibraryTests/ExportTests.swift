// The libraries export the modules of their public signatures.

import Foundation
import Testing

@Suite struct ExportTests {
  /// Modules that a program imports itself: Foundation's, which it has for `URL` anyway.
  private static let programsOwn: Set<String> = ["Foundation", "FoundationEssentials"]

  @Test func modulesOfPublicSignaturesAreExported() throws {
    let exports = try LibraryExports()
    let byType = exports.types.map { String($0.prefix { $0 != "." }) }
    let known = Self.programsOwn.union(exports.modules).union(byType)
    #expect(exports.modules.count > 25)
    for module in exports.modules {
      let files = LibraryExports.sources(of: module)
      #expect(!files.isEmpty, "\(module)")
      for file in files {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /public import (?:[a-z]+ )?(\w+)/)
        where !known.contains(String(match.1)) {
          Issue.record("\(file.path) imports \(match.1), which AuricleHost.swift does not export")
        }
      }
    }
  }

  @Test func typesExportedOneByOneAreNamedInATest() throws {
    let names = try LibraryExports().types.map { String($0.drop { $0 != "." }.dropFirst()) }
    #expect(names.sorted() == typesExportedOneByOne.map { "\($0)" }.sorted())
  }
}
