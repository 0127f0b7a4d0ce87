// Command lines in README, docs and configurations are accepted by the program.

import ArgumentParser
import AuricleCommand
import Foundation
import MediaFiles
import SessionTestSupport
import TestSupport
import Testing

@Suite(.unwatched) struct ShellLineTests {
  /// A command line of a page as words, from the program's name to its last argument.
  struct ShellCommand: Hashable, CustomStringConvertible {
    let page: String
    let words: [String]

    var description: String { "\(page): \(words.joined(separator: " "))" }
  }

  /// The lines of shell blocks, of transcripts, and of the comments of configurations.
  private static func lines() throws -> [ShellCommand] {
    var lines: [ShellCommand] = []
    for page in try Page.all() {
      let transcripts = page.blocks("").flatMap { $0.components(separatedBy: "\n") }
        .filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
      let shell = page.blocks("sh").flatMap { $0.components(separatedBy: "\n") }
      lines += (shell + transcripts).flatMap { commands(of: $0) }
        .map { ShellCommand(page: page.path, words: $0) }
    }
    for name in ReadyConfigurations.names {
      let text = try String(
        contentsOf: ReadyConfigurations.folder.appendingPathComponent(name), encoding: .utf8)
      for line in text.components(separatedBy: "\n") where line.hasPrefix("#   ") {
        lines += commands(of: String(line.dropFirst(4))).map { ShellCommand(page: name, words: $0) }
      }
    }
    return lines
  }

  /// The commands of a line of shell, each as words.
  private static func commands(of line: String) -> [[String]] {
    let code = line.replacing(/(^|\s)#.*$/, with: "")
    return code.split(separator: "&&").flatMap { $0.split(separator: ";") }.map { command in
      var words = command.replacingOccurrences(of: "\"", with: "").split(separator: " ")
        .map(String.init)
      if words.last == "&" { words.removeLast() }
      if words.first == "sudo" { words.removeFirst() }
      if words.first == "pw-jack" {
        words.removeFirst()
        while let option = words.first, option.hasPrefix("-") { words.removeFirst(2) }
      }
      return words
    }.filter { !$0.isEmpty }
  }

  private static func auricleLines() throws -> [ShellCommand] {
    Array(Set(try lines().filter { $0.words[0] == "auricle" })).sorted { "\($0)" < "\($1)" }
  }

  @Test func everyLineIsOneThatTheProgramTakes() throws {
    let lines = try Self.auricleLines()
    #expect(lines.count >= 20)
    for line in lines {
      do { _ = try AuricleCommand.parseAsRoot(Array(line.words.dropFirst())) } catch {
        Issue.record("\(line): \(AuricleCommand.message(for: error))")
      }
    }
  }

  @Test func everyConfigurationOfALineExists() throws {
    for line in try Self.auricleLines() where ["run", "bounce"].contains(line.words[1]) {
      let configuration = try #require(line.words.dropFirst(2).first, "\(line)")
      let candidates = [configuration, "config/\(configuration).toml"]
      #expect(
        candidates.contains {
          FileManager.default.fileExists(atPath: Page.root.appendingPathComponent($0).path)
        }, "\(line)")
    }
  }

  @Test func everyCommandAndOptionInRunningTextExists() async throws {
    var count = 0
    for page in try Page.manual() {
      for span in page.codeSpans where span.hasPrefix("auricle ") {
        let words = span.split(whereSeparator: \.isWhitespace).map(String.init)
        // A placeholder for all commands.
        if words[1] == "COMMAND" { continue }
        count += 1
        let command = words[1...].prefix(words[1] == "ctl" ? 2 : 1)
        let (status, child) = try await auricle(command + ["--help"])
        #expect(status == .exited(0), "\(page): \(span)")
        let options = child.standardOutput.split { !($0.isLetter || $0 == "-") }.map(String.init)
        for option in words where option.hasPrefix("--") {
          #expect(options.contains(option), "\(page): \(span)")
        }
      }
    }
    #expect(count >= 5)
  }

  @Test func linesThatNeedNoServerWork() async throws {
    for line in try Self.auricleLines() {
      let isCheap = ["units", "soundfont", "doctor"].contains(line.words[1])
      guard isCheap else { continue }
      let (status, child) = try await auricle(
        Array(line.words.dropFirst()), environment: ["JACK_DEFAULT_SERVER": absentServer])
      let isFine = status == .exited(0) || (line.words[1] == "doctor" && status == .exited(1))
      #expect(isFine, "\(line): \(child.transcript)")
      #expect(!child.standardOutput.isEmpty, "\(line)")
    }
  }

  @Test func bouncesWriteTheirFiles() async throws {
    let directory = try TemporaryDirectory()
    var song = MIDIFileMaker.frameExact(sampleRate: 48000)
    song.addNote(60, at: 0, length: 2400)
    try Data(song.bytes()).write(to: directory.file("song.mid"))
    let format = try AudioFileFormat(fileName: "take.flac")
    let take = try AudioFileWriter(
      url: directory.file("take.flac"), format: format, sampleRate: 48000, channelCount: 2)
    let noise = Signal.noise(frames: 4800, seed: 1).map { $0 * 0.1 }
    try take.write([noise, noise])
    try take.finish()
    let lines = try Self.auricleLines().filter { $0.words[1] == "bounce" }
    #expect(lines.count >= 3)
    for words in Set(lines.map(\.words)) {
      let arguments = words.dropFirst().map {
        $0.hasPrefix("config/") ? Page.root.appendingPathComponent($0).path : $0
      }
      let place = try #require(words.firstIndex(of: "--output"))
      let output = directory.file(words[place + 1])
      try? FileManager.default.removeItem(at: output)
      let child = try ChildProcess(
        builtProduct("auricle"), Array(arguments), workingDirectory: directory.url)
      #expect(try await child.wait() == .exited(0), "\(words): \(child.transcript)")
      let reader = try AudioFileReader(contentsOf: output)
      let samples = try reader.read(maximumFrames: 1 << 20)
      #expect((samples[0].map(abs).max() ?? 0) > 1e-3, "\(words)")
    }
  }

  @Test func everyTargetOfMakeAndScriptExists() throws {
    let makefile = try String(
      contentsOf: Page.root.appendingPathComponent("Makefile"), encoding: .utf8)
    var count = 0
    for line in try Self.lines() {
      if line.words[0].hasPrefix("scripts/") {
        let path = Page.root.appendingPathComponent(line.words[0]).path
        #expect(FileManager.default.isExecutableFile(atPath: path), "\(line)")
      }
      guard line.words[0] == "make", line.words.count > 1 else { continue }
      count += 1
      #expect(makefile.contains("\n\(line.words[1]):"), "\(line)")
    }
    #expect(count >= 5)
  }
}
