// auricle new

import ArgumentParser
import Configuration
import Files
import FoundationEssentials
import SessionModel

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Copy a configuration into your own folder, to be edited and run by its name.",
    discussion: "The copy is in ~/.config/auricle. Its client has the new name, too.")

  @Argument(help: "The name of the new configuration: letters, digits, '.', '-' and '_'.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "The configuration to copy: a file, or a name as for run. Default: default.",
      valueName: "config"),
    completion: .custom(completedConfigurations))
  var from: String?

  func validate() throws {
    let isName = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789.-_".unicodeScalars.contains($0))
    }
    guard isName, !name.isEmpty, !name.hasPrefix(".") else {
      throw ValidationError("NAME takes letters, digits, '.', '-' and '_', such as my-stage")
    }
  }

  func run() throws {
    let source: URL
    do throws(ConfigurationError) { source = try SessionPlan.locate(from) } catch {
      throw CommandFailure.badConfiguration(error)
    }
    guard let folder = ConfigurationLocator().userFolder else {
      throw CommandFailure.failed("there is no folder for it: neither HOME nor XDG_CONFIG_HOME")
    }
    let own = name.hasSuffix(".toml") ? String(name.dropLast(5)) : name
    let target = folder.appendingPathComponent(own + ".toml")
    guard let file = try? OpenFile(source.path),
      let bytes = try? file.contents(upTo: SessionConfiguration.maximumBytes),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw CommandFailure.failed("\(source.relativePath) cannot be read as text")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(renamed(text, from: source, to: own).utf8).write(
        to: target, options: .withoutOverwriting)
    } catch {
      guard !FileManager.default.fileExists(atPath: target.path) else {
        throw CommandFailure.failed(
          "\(target.path) exists already; take another name, or edit that one")
      }
      throw CommandFailure.failed("\(target.path) cannot be written: \(error)")
    }
    try StandardOutput.write("\(target.path)\nedit it, then: auricle run \(own)")
  }

  /// Returns a configuration's text for a copy: its client, and the command and the ports in its
  /// comments, have the copy's name.
  private func renamed(_ text: String, from source: URL, to name: String) -> String {
    var isClient = false
    var formerName: Substring?
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("[") { isClient = line.hasPrefix("[client]") }
      guard isClient, line.hasPrefix("name = \"") else { return String(line) }
      formerName = line.dropFirst("name = \"".count).prefix { $0 != "\"" }
      return "name = \"\(name)\""
    }
    if let formerName, !formerName.isEmpty {
      for index in lines.indices where lines[index].hasPrefix("#") {
        lines[index] = Self.renamed(lines[index], client: formerName, to: name)
      }
    }
    return lines.joined(separator: "\n").replacing(
      "auricle run config/\(source.lastPathComponent)", with: "auricle run \(name)")
  }

  /// Renames the client of ports in a comment: `layers:bass_midi_in`.
  private static func renamed(_ comment: String, client: Substring, to name: String) -> String {
    let parts = comment.split(separator: "\(client):", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(parts.first.map(String.init) ?? "") { text, part in
      // The end of a longer name, or a word before a space, is no client.
      let isWord = text.last.map { !$0.isLetter && !$0.isNumber && !"-_.".contains($0) } ?? true
      let isPort = part.first.map { !$0.isWhitespace } ?? false
      return text + (isWord && isPort ? name : String(client)) + ":" + part
    }
  }
}
