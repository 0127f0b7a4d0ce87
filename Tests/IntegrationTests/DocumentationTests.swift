// Examples in README and docs work as written, and links have a target.

import BuiltInUnits
import Configuration
import Foundation
import MediaFiles
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@Suite struct DocumentationTests {
  /// Builds a block, wrapped in a unit if it is a part of one. Only the default SoundFont is sure
  /// to be installed.
  private func build(_ block: String, of page: Page) async throws {
    var text = block
    if !text.contains("[[unit]]") {
      text = "[[unit]]\nid = \"x\"\ncomponent = \"sampler\"\n" + text
    }
    for name in ["FluidR3_GM.sf2", "piano.sf3"] {
      text = text.replacingOccurrences(of: name, with: "TimGM6mb.sf2")
    }
    let directory = try TemporaryDirectory()
    if text.contains("backing.flac") {
      let sound = directory.file("backing.wav")
      let writer = try AudioFileWriter(url: sound, sampleRate: 44_100, channelCount: 2)
      try writer.write([Signal.noise(frames: 441, seed: 1), Signal.noise(frames: 441, seed: 2)])
      try writer.finish()
      text = text.replacingOccurrences(of: "backing.flac", with: sound.path)
    }
    let configuration = try SessionConfiguration(builtIn: text, file: page.path)
    _ = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(configuration, file: nil)
  }

  @Test func everyConfigurationShownBuilds() async throws {
    var count = 0
    for page in try Page.manual() {
      for block in page.blocks("toml") {
        count += 1
        do { try await build(block, of: page) } catch {
          Issue.record("\(page): \(error)\n\(block)")
        }
      }
    }
    #expect(count >= 15)
  }

  @Test func everyKindOfStageIsShownAtWork() throws {
    let blocks = try Page("docs/MIDIStages.md").blocks("toml").joined()
    for name in MIDIStageConfiguration.names { #expect(blocks.contains("stage = \"\(name)\"")) }
  }

  @Test func everyNamedFileExists() throws {
    for page in try Page.all() where page.path != "CHANGELOG.md" {
      let names = page.text.matches(of: /\b(?:config|scripts)\/[a-z_-]+\.[a-z]+/)
      for name in Set(names.map { String($0.output) }) {
        let path = Page.root.appendingPathComponent(name).path
        #expect(FileManager.default.fileExists(atPath: path), "\(page): \(name)")
      }
    }
  }

  @Test func everyLinkLeadsSomewhere() throws {
    var count = 0
    for page in try Page.all() {
      let folder = URL(fileURLWithPath: page.path, relativeTo: Page.root)
        .deletingLastPathComponent()
      for link in page.links {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty
          ? Page.root.appendingPathComponent(page.path)
          : folder.appendingPathComponent(String(parts[0])).standardizedFileURL
        guard FileManager.default.fileExists(atPath: target.path) else {
          Issue.record("\(page): there is no \(parts[0])")
          continue
        }
        guard parts.count == 2 else { continue }
        let other = try Page(String(target.path.dropFirst(Page.root.path.count + 1)))
        #expect(other.anchors.contains(String(parts[1])), "\(page): \(link)")
      }
      for article in page.text.matches(of: /<doc:(\w+)>/) {
        let path = folder.appendingPathComponent("\(article.output.1).md").path
        #expect(FileManager.default.fileExists(atPath: path), "\(page): \(article.output.1)")
      }
    }
    #expect(count >= 20)
  }

  /// Checks that the first column of the table of messages has parts of messages in the sources.
  @Test func theProgramHasTheMessagesThatAreExplained() throws {
    let sources = Page.root.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var text = ""
    for case let file as URL in files! where file.pathExtension == "swift" {
      text += try String(contentsOf: file, encoding: .utf8)
    }
    // Joins strings that continue on the next line.
    text = text.replacing(/\\\n */, with: "")
    let table = try #require(try Page("docs/Troubleshooting.md").tables.first)
    #expect(table.rows.count > 10)
    for row in table.rows {
      for message in codeSpans(row[0]) { #expect(text.contains(message), "\(message)") }
    }
  }
}
