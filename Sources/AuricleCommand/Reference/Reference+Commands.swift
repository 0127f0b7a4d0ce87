// Reference of commands and their output formats.

import MediaFiles
import SamplerUnit

extension Reference {
  /// Returns the usage of a command and its options; nil for an unknown name.
  static func command(_ name: String) throws -> [String]? {
    let calls = try CommandDescription.ofProgram().calls
    guard let command = calls.first(where: { $0.words == name })?.command else { return nil }
    let parts = command.shownArguments.map { argument in
      argument.isOptional ? "[\(usage(of: argument))]" : usage(of: argument)
    }
    var lines = ["```", "auricle \(name)"]
    for part in parts {
      if lines[lines.count - 1].count + 1 + part.count > 100 {
        lines.append(String(repeating: " ", count: 8 + name.count))
      }
      lines[lines.count - 1] += " " + part
    }
    lines += ["```", ""] + wrapped(command.abstract ?? "")
    if let discussion = command.discussion, !discussion.isEmpty {
      lines += [""] + wrapped(discussion)
    }
    lines.append("")
    for argument in command.shownArguments {
      let standard = argument.shownDefault.map { " Default: \($0)." } ?? ""
      lines += wrapped(
        "- `\(usage(of: argument))`: \(argument.abstract ?? "")\(standard)", indent: "  ")
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func usage(of argument: CommandDescription.Argument) -> String {
    guard let option = argument.option else { return argument.valueWord }
    return argument.isFlag ? option : "\(option) \(argument.valueWord)"
  }

  /// Formats of audio files that can be written.
  static var formats: [String] {
    let rows = AudioFileFormat.Container.allCases.map { container in
      let endings = AudioFileFormat.endings.filter { $0.value == container }.keys.sorted()
      let usual = endings.filter { $0 == container.rawValue }
      let sorted = usual + endings.filter { $0 != container.rawValue }
      let encodings = AudioFileFormat.encodings(of: container)
      let format = try? AudioFileFormat(fileName: "x." + container.rawValue)
      let choices =
        encodings == [.vorbis]
        ? "none" : encodings.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      return [sorted.map { "`.\($0)`" }.joined(separator: ", "), format?.name ?? "", choices]
    }
    return table([["name ends in", "what is written", "`--format`"]] + rows)
  }

  /// Bus layouts of the sampler.
  static var outputs: [String] {
    let rows = SamplerOutputLayout.allCases.map { layout in
      let names = layout.busNames
      let busses =
        names.count > 4
        ? "\(names[0]), \(names[1]), … \(names.suffix(2).joined(separator: ", "))"
        : names.joined(separator: ", ")
      return ["`\"\(layout.rawValue)\"`", "\(layout.busCount)", busses]
    }
    return table([["`outputs`", "stereo busses", "their names"]] + rows)
  }
}
