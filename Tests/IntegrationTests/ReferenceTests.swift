// The tables of docs/ agree with the program.

import ArgumentParser
import BuiltInUnits
import Configuration
import Foundation
import MediaFiles
import SamplerUnit
import SessionTestSupport
import TestSupport
import Testing

@testable import AuricleCommand
@testable import SessionModel

@Suite struct ReferenceTests {
  /// `make reference` renews the tables.
  @Test func theTablesAreUpToDate() async throws {
    let directory = try TemporaryDirectory()
    let pages = try Page.pages(in: "docs")
    for page in pages {
      // The tables are left out, so that all are generated.
      let bare = page.text.replacing(
        /(?s)(<!-- reference: [^\n]*-->\n).*?(<!-- end -->)/, with: { $0.output.1 + $0.output.2 })
      _ = try directory.write(bare, to: URL(fileURLWithPath: page.path).lastPathComponent)
    }
    let copies = pages.map {
      directory.file(URL(fileURLWithPath: $0.path).lastPathComponent)
    }
    let (status, child) = try await auricle(["reference"] + copies.map(\.path))
    #expect(status == .exited(0), "\(child.transcript)")
    var count = 0
    for (page, copy) in zip(pages, copies) {
      let renewed = try String(contentsOf: copy, encoding: .utf8)
      count += renewed.components(separatedBy: "<!-- reference: ").count - 1
      #expect(renewed == page.text, "\(page) is not as `make reference` makes it")
    }
    #expect(count >= 20)
  }

  @Test func impossiblePartsAreReportedWithTheirLine() async throws {
    let directory = try TemporaryDirectory()
    for (text, message) in [
      ("a\n<!-- reference: stage nonsense -->\n<!-- end -->\n", "page.md:2: no reference of"),
      ("<!-- reference: formats -->\nb\n", "page.md:1: no '<!-- end -->' follows"),
      ("a\n\n<!-- end -->\n", "page.md:3: an end without a beginning"),
    ] {
      let page = try directory.write(text, to: "page.md")
      let (status, child) = try await auricle(["reference", page.path])
      #expect(status == .exited(2))
      #expect(child.standardError.contains(message), "\(child.transcript)")
      #expect(try String(contentsOf: page, encoding: .utf8) == text)
    }
  }

  @Test func aConfigurationWithoutADescriptionIsRefused() async throws {
    let directory = try TemporaryDirectory()
    let configuration = try directory.write("[client]\nname = \"bare\"\n", to: "bare.toml")
    let page = try directory.write(
      "<!-- reference: configurations \(directory.url.path) -->\n<!-- end -->\n", to: "page.md")
    let (status, child) = try await auricle(["reference", page.path])
    #expect(status == .exited(2))
    #expect(
      child.standardError.contains("\(configuration.path):1: no comment; begin"),
      "\(child.transcript)")
  }

  /// The rows of a generated table that have a default in TOML.
  private func settings(_ table: [[String]]) -> [(key: String, value: String)] {
    table.dropFirst().compactMap { row in
      guard row.count > 2, row[2].hasPrefix("`"), let key = codeSpans(row[0]).first else {
        return nil
      }
      guard let value = codeSpans(row[2]).first else { return nil }
      return (key.replacing(/\d+…\d+/, with: "1"), value)
    }
  }

  @Test func everyKeyOfATableIsTakenWithItsDefault() async throws {
    let directory = try TemporaryDirectory()
    let sound = directory.file("sound.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 1)
    try writer.write([[0]])
    try writer.finish()
    let required = [
      "player": "file = \"\(sound.path)\"\n",
      "recorder": "file = \"\(directory.file("take.wav").path)\"\n",
    ]
    var keys = 0
    for page in try Page.pages(in: "docs") {
      for table in page.tables where table.title.hasPrefix("<!-- reference: ") {
        let subject = table.title.split(separator: " ").map(String.init)
        let pairs = settings(table.rows).map { "\($0.key) = \($0.value)" }
        let text: String
        switch subject[2] {
        case "stage":
          let settings = (["stage = \"\(subject[3])\""] + pairs).joined(separator: ", ")
          text = "component = \"midi\"\nmidi = [ { \(settings) } ]\n"
        case "parameters":
          text =
            "component = \"\(subject[3])\"\n\(required[subject[3]] ?? "")"
            + "parameters = { \(pairs.joined(separator: ", ")) }\n"
        case "unit": text = "component = \"midi\"\n" + pairs.map { $0 + "\n" }.joined()
        default: continue
        }
        keys += pairs.count
        do {
          let configuration = try SessionConfiguration(
            builtIn: "[[unit]]\nid = \"x\"\n" + text, file: page.path)
          _ = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
            .build(configuration, file: nil)
        } catch { Issue.record("\(table.title): \(error)\n\(text)") }
      }
    }
    #expect(keys > 80)
  }

  /// The keys in the table with a first column `column` under a heading.
  private func keys(
    under heading: String, _ column: String, on page: String = "docs/Configuration.md"
  ) throws -> Set<String> {
    let tables = try Page(page).tables
    let table = try #require(
      tables.first { $0.title.hasSuffix(heading) && $0.rows.first?.first == column })
    return Set(table.rows.dropFirst().flatMap { codeSpans($0[0]) })
  }

  /// The keys that the reader accepts at `?`, taken from its error about an unknown key.
  private func accepted(_ text: String) throws -> Set<String> {
    let file = text.replacingOccurrences(of: "?", with: "nonsense = 1")
    do {
      _ = try SessionConfiguration(builtIn: file, file: "x.toml")
    } catch {
      let problem = error.problems.first { $0.message.contains("unknown key 'nonsense'") }
      return Set((problem?.accepted ?? "").components(separatedBy: ", "))
    }
    return []
  }

  @Test func everyKeyOfASectionIsListed() throws {
    let unit = "[[unit]]\nid = \"x\"\ncomponent = \"sampler\"\n"
    #expect(try keys(under: "`[client]`", "key") == accepted("[client]\n?\n" + unit))
    let (general, own) = try (
      keys(under: "reference: unit -->", "key"), keys(under: "`[[unit]]`", "key")
    )
    let all = try BuiltInComponents.makeRegistry().components.reduce(into: Set<String>()) {
      $0.formUnion(try accepted("[[unit]]\nid = \"x\"\ncomponent = \"\($1.shortName)\"\n?\n"))
    }
    #expect(general.union(own) == all)
    #expect(general.isDisjoint(with: own))
    #expect(
      try keys(under: "`[[connect]]`", "key")
        == accepted(unit + "[[connect]]\nfrom = \"x\"\nto = \"a:b\"\n?\n"))
    #expect(
      try keys(under: "Drums and banks", "`bank-select`", on: "docs/Sampler.md")
        == Set(BankSelect.allCases.map { "\"\($0.rawValue)\"" }))
    #expect(
      try keys(under: "SoundFonts", "key of `soundfonts`", on: "docs/Sampler.md")
        == accepted(unit + "soundfonts = [ { file = \"a\", ? } ]\n"))
    #expect(
      try keys(under: "Live sets", "key of `[[unit.entry]]`", on: "docs/Sampler.md")
        == accepted(unit + "[[unit.entry]]\nnumber = 0\nname = \"a\"\n?\n"))
  }

  @Test func everyCommandOfASessionIsListedWithItsKeys() throws {
    let page = try Page("docs/Control.md")
    let table = try #require(page.tables.first { $0.rows.first?.first == "`command`" })
    let keys = Set(CommandForm.all.flatMap(\.keys))
    var listed: [String: Set<String>] = [:]
    for row in table.rows.dropFirst() {
      for name in codeSpans(row[0]) {
        listed[name, default: []].formUnion(
          row.count == 3 ? codeSpans(row[1]).filter(keys.contains) : [])
      }
    }
    #expect(listed.count == CommandForm.all.count)
    for form in CommandForm.all { #expect(listed[form.name] == Set(form.keys), "\(form.name)") }
    // The commands that `together` combines.
    let text = page.text.replacing("`", with: "").replacing(/\s+/, with: " ")
    #expect(
      text.contains(
        "several \(SessionCommand.names(.value)), or several of "
          + "\(SessionCommand.names(.structure))."))
  }

  @Test func everyCommandOfASessionIsOneOfCtl() {
    let commands = ControlCommand.configuration.subcommands
    func names(_ commands: [any ParsableCommand.Type]) -> Set<String?> {
      Set(commands.map { $0.configuration.commandName })
    }
    // The name of `hello` is the option `--as`, and `note` plays `midi`. A command at the shell
    // ends before a gesture, and draws neither views nor waveforms. `units` lists the components.
    // `sound` is another name of `preset`, `insert` is a `together`, and `check` is a part of
    // `status`.
    let others: Set<String?> = ["sound", "insert", "check", "note"]
    #expect(
      names(commands).subtracting(others)
        == Set(CommandForm.all.map(\.name)).subtracting([
          "hello", "midi", "gesture", "choices", "view", "waveform",
        ]))
    #expect(names(commands).isSuperset(of: others))
    let combined = names(commands.filter { $0 is any CombinableCommand.Type })
    #expect(
      combined.subtracting(["insert"])
        == Set(CommandForm.all.filter { [.value, .structure].contains($0.effect) }.map(\.name)))
  }
}
