// The files of the page.

import Foundation
import Testing

@testable import WebServer

@Suite struct PageTests {
  private func text(_ path: String) -> String {
    String(decoding: PageFile.all[path]?.bytes ?? [], as: UTF8.self)
  }

  /// The page is loaded whole, also over a stage's network: 200 kB are read in a moment.
  @Test func thePageIsSmall() {
    #expect(PageFile.all.values.reduce(0) { $0 + $1.bytes.count } <= 200_000)
    #expect(PageFile.all.values.allSatisfy { !$0.bytes.isEmpty })
  }

  /// A browser counts the lines as the source does.
  @Test func commentsStayAtHome() {
    let script = text("/spectrum.js").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(script[0] == "" && script[2] == "import { svg } from \"./svg.js\";")
    for (path, file) in PageFile.all where file.type.hasPrefix("text/javascript") {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(text.firstMatch(of: #/\n *\/[\/*]|\n +\*/#) == nil, "\(path)")
    }
  }

  /// The policy of its responses would drop scripts and styles in the page, and files of others.
  @Test func thePageFollowsItsPolicy() {
    let page = text("/")
    #expect(page.matches(of: #/<script(?![^>]*src=")/#).isEmpty)
    #expect(page.matches(of: #/<style|\sstyle=|\son[a-z]+=/#).isEmpty)
    for (path, file) in PageFile.all {
      let text = String(decoding: file.bytes, as: UTF8.self)
      for match in text.matches(of: #/(?:src|href)="([^"]*)"|from "\.([^"]*)"/#) {
        let name = String(match.1 ?? match.2 ?? "")
        #expect(PageFile.all[name] != nil, "\(path): \(name)")
      }
      #expect(!text.contains("innerHTML") && !text.contains("eval("), "\(path)")
    }
  }

  @Test func allFilesAreServedWithTheirTypes() throws {
    let test = try TestServer()
    let cookie = try test.cookie()
    for (path, file) in PageFile.all {
      let response = try #require(try test.ask("GET \(path) HTTP/1.1", cookie: cookie))
      #expect(response.status == 200 && response.fields["content-type"] == file.type)
      #expect(Array(response.body.utf8) == file.bytes, "\(path)")
      #expect(try test.ask("GET \(path) HTTP/1.1")?.status == 401, "\(path)")
    }
  }
}
