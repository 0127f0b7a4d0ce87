// What the README shows works as it is written.

import Configuration
import Foundation
import Session
import TestSupport
import Testing

@Suite struct ReadmeTests {
  private static let root = ReadyConfigurationTests.folder.deletingLastPathComponent()

  /// The README's blocks of one language.
  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(
      contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    return text.components(separatedBy: "\n```").enumerated().compactMap { index, part in
      guard index % 2 == 1, part.hasPrefix(language + "\n") else { return nil }
      return String(part.dropFirst(language.count + 1))
    }
  }

  /// Builds a block; one that is a part of a unit is put into one. Only the default SoundFont is sure to be there.
  private func build(_ block: String) async throws {
    var text = block
    if !text.contains("[[unit]]") {
      text = "[[unit]]\nid = \"x\"\ncomponent = \"sampler\"\n" + text
    }
    for name in ["FluidR3_GM.sf2", "piano.sf3"] {
      text = text.replacingOccurrences(of: name, with: "TimGM6mb.sf2")
    }
    let configuration = try SessionConfiguration(toml: text, file: "README.md")
    _ = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(configuration, file: nil)
  }

  @Test func everyConfigurationInItBuilds() async throws {
    let blocks = try Self.blocks("toml")
    #expect(blocks.count >= 3)
    for block in blocks {
      do { try await build(block) } catch { Issue.record("\(error)\n\(block)") }
    }
  }

  @Test func everyConfigurationThatItNamesIsThere() throws {
    let text = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let names = Set(text.matches(of: /config\/[a-z-]+\.toml/).map { String($0.output) })
    #expect(names.count >= 2)
    for name in names {
      let path = Self.root.appendingPathComponent(name).path
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }
}
