// States of units next to a configuration, as `.aupreset` files.

import Configuration
import Files
import FoundationEssentials
import PropertyLists
import UnitModel

/// Unit states that a configuration cannot express, in the form of presets.
package enum StateFile {
  static let suffix = ".aupreset"

  /// Returns a name unique to the content: no file that a session refers to is overwritten.
  package static func name(session: URL, unit: String, content: Data) -> String {
    let sum = SHA256.hexadecimal(content).prefix(12)
    return "\(stem(session)).\(unit).\(sum)\(suffix)"
  }

  /// Returns the file names of a session's states in its folder.
  package static func names(of session: URL) -> [String] {
    let folder = session.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let stem = stem(session) + "."
    return names.filter { name in
      guard name.hasPrefix(stem), name.hasSuffix(suffix) else { return false }
      let parts = name.dropFirst(stem.count).dropLast(suffix.count).split(
        separator: ".", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[1].count == 12 && parts[1].allSatisfy(\.isHexDigit)
    }
  }

  private static func stem(_ session: URL) -> String {
    let name = session.lastPathComponent
    return name.hasSuffix(".toml") ? String(name.dropLast(5)) : name
  }
}

extension SessionBuilder {
  /// Restores `known` if it is given, otherwise the state in the file that `state` names.
  func restoreState(
    _ configuration: UnitConfiguration, of unit: AudioUnit, file: URL?, _ known: StateDictionary?
  ) throws(ConfigurationProblem) {
    if let known {
      return try located(configuration.component.location) { () throws(StateError) in
        try unit.setFullStateForDocument(known)
      }
    }
    guard let name = configuration.state else { return }
    let folder = file?.absoluteURL.deletingLastPathComponent()
    let url = URL(fileURLWithPath: name.value, relativeTo: folder)
    func problem(_ reason: String) -> ConfigurationProblem {
      ConfigurationProblem(
        "the state '\(printable(url.path, 4096))' cannot be used: \(reason)",
        accepted: "a state that 'auricle ctl save' wrote, or no 'state'", at: name.location)
    }
    let contents: Data?
    do throws(SystemError) {
      contents = try FileAccess.read(url.path, maximumBytes: PresetStore.maximumBytes)
    } catch { throw problem("\(error)") }
    guard let contents else { throw problem("it is too large") }
    let state: StateDictionary
    do throws(PropertyList.Fault) { state = try PropertyList.dictionary(xml: contents) } catch {
      throw problem("line \(error.line): \(error.reason)")
    }
    do throws(StateError) { try unit.setFullStateForDocument(state) } catch {
      throw problem(error.description)
    }
  }
}
