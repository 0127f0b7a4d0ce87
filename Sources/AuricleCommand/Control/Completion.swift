// Shell completions with names from the running session.

import Configuration
import ControlSocket
import FoundationEssentials
import Platform
import Remotes
import SamplerUnit
import SessionModel
import UnitModel

/// Returns the paths of all parameters, and the units.
/// - Parameter words: the command line, which may name the session.
@Sendable func completedPaths(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    let units = try units(of: session)
    return try units
      + units.flatMap { unit -> [String] in
        guard case .parameters(let readings) = try ask(session, .list(path: unit)) else {
          return []
        }
        return readings.map(\.path)
      }
  }
}

/// Returns the parameters that have a mapping.
@Sendable func completedMappings(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    guard case .mappings(let mappings) = try ask(session, .mappings) else { return [] }
    return Array(Set(mappings.map(\.path)))
  }
}

/// Returns the scenes' names.
@Sendable func completedScenes(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    guard case .scenes(let scenes) = try ask(session, .scene(.list)) else { return [] }
    return scenes.map(\.name)
  }
}

/// Returns the names of a unit's presets. The unit is the word before the completed one.
@Sendable func completedPresets(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    guard words.indices.contains(index - 1),
      case .presets(let presets) = try ask(session, .preset(unit: words[index - 1], .list))
    else { return [] }
    return presets.map(\.name)
  }
}

/// Returns the names of a parameter's values. The parameter is the word before the completed one.
@Sendable func completedValues(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    guard words.indices.contains(index - 1),
      case .parameter(let reading) = try ask(session, .get(path: words[index - 1]))
    else { return [] }
    return reading.values
  }
}

/// Returns the names of the running sessions.
@Sendable func completedSessions(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  (try? ControlFolder().sessions()) ?? []
}

/// Returns the units' ids.
@Sendable func completedUnits(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { try units(of: $0) }
}

/// Returns the names of the configurations that `run` finds.
@Sendable func completedConfigurations(
  _ words: [String], _ index: Int, _ prefix: String
) -> [String] { ConfigurationLocator(program: programFile).names }

/// Returns the SoundFonts of the usual folders by their names, and SoundFonts by their paths.
@Sendable func completedSoundFonts(
  _ words: [String], _ index: Int, _ prefix: String
) -> [String] {
  SoundFontLocator().names + completedFiles(prefix, [".sf2", ".sf3"])
}

/// Returns the files that `play` takes: as `completedSoundFonts`, and others by their paths.
@Sendable func completedPlayedFiles(
  _ words: [String], _ index: Int, _ prefix: String
) -> [String] {
  SoundFontLocator().names
    + completedFiles(
      prefix,
      [
        ".sf2", ".sf3", ".mid", ".midi", ".rmi", ".wav", ".flac", ".ogg", ".mp3", ".aiff", ".aif",
        ".caf",
      ])
}

/// Returns the files and folders whose paths begin with `prefix`. The files of these folders are
/// among them: a shell ends a word that has only one candidate, and a folder's path continues.
private func completedFiles(_ prefix: String, _ extensions: [String]) -> [String] {
  let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
  let start = prefix.dropFirst(folder.count)
  return entries(of: folder, extensions, hidden: start.hasPrefix("."))
    .filter { $0.hasPrefix(prefix) }
    .flatMap { entry in
      entry.hasSuffix("/") ? [entry] + entries(of: entry, extensions, hidden: false) : [entry]
    }
}

/// Returns the paths of a folder's files with one of the extensions, and of its folders, with a
/// slash at their end.
private func entries(of folder: String, _ extensions: [String], hidden: Bool) -> [String] {
  let home = ProcessInfo.processInfo.environment["HOME"] ?? "~"
  let path =
    folder.isEmpty ? "." : folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
  let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  return names.sorted().compactMap { name in
    if name.hasPrefix("."), !hidden { return nil }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) else {
      return nil
    }
    if isFolder { return "\(folder)\(name)/" }
    return extensions.contains { name.lowercased().hasSuffix($0) } ? folder + name : nil
  }
}

/// Returns the short names of all components.
@Sendable func completedComponents(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  ((try? HostComponents.makeRegistry())?.components ?? []).map(\.shortName)
}

/// Returns the short names of the effects.
@Sendable func completedEffects(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  let types: [FourCharacterCode] = [.effect, .musicEffect]
  let components = (try? HostComponents.makeRegistry())?.components ?? []
  return components.filter { types.contains($0.description.type) }.map(\.shortName)
}

/// Returns the candidates; none if no session is running, or if the session is ambiguous.
private func completed(
  _ words: [String], _ candidates: (ControlClient) throws -> [String]
) -> [String] {
  let place = words.firstIndex(of: "--client").map { $0 + 1 }
  let name = place.flatMap { words.indices.contains($0) ? words[$0] : nil }
  return (try? candidates(try ControlClient(session: name))) ?? []
}

private func units(of session: ControlClient) throws -> [String] {
  guard case .units(let units) = try ask(session, .list(path: nil)) else { return [] }
  return units.map(\.id)
}

private func ask(_ session: ControlClient, _ command: SessionCommand) throws -> SessionAnswer {
  try session.send(SessionWire.encode(command))
  return try SessionWire.answer(try session.nextLine())
}
