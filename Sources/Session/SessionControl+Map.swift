// Mappings of a running session: list, add and remove.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Mappings of the session, in its order.
  var mappingReadings: [MappingReading] {
    store?.origin.configuration.mappings.map { MappingReading($0) } ?? []
  }

  /// - Parameter settings: keys as in `[[map]]`, except `parameter`.
  static func map(
    _ path: String, _ settings: [String]
  ) throws(SessionCommandError) -> StructureChange {
    let mapping = try mapping(of: path, settings)
    let path = mapping.target.value.text
    return StructureChange(
      text: "\(mapping.text): mapped", path: path, units: units(of: path)
    ) { configuration in
      guard !configuration.mappings.contains(mapping) else {
        throw SessionCommandError("\(quoted(path)) is mapped so already")
      }
      configuration.add(mapping)
      return []
    }
  }

  static func unmap(_ path: String) -> StructureChange {
    let path = placeText(path)
    return StructureChange(
      text: "\(path): unmapped", path: path, units: units(of: path)
    ) { configuration in
      let paths = configuration.mappings.map { placeText($0.target.value.text) }
      guard paths.contains(path) else {
        throw SessionCommandError(
          "nothing moves \(quoted(path))", accepted: Set(paths).sorted())
      }
      configuration.removeMappings { placeText($0.target.value.text) == path }
      return []
    }
  }

  /// Returns the claims of a mapping. Mappings of one unit or scene wait for each other.
  static func mappingClaims(_ path: String) -> Claims {
    Claims(Set(units(of: path).map { .unit($0) }))
  }

  /// Returns the unit, or scene, that is mapped.
  private static func units(of path: String) -> Set<String> { [SessionPath(path).unit] }

  /// Whether a path names another target than a parameter: `scene=Verse`.
  static func isSetting(_ path: String) -> Bool { path.contains("=") }

  /// Returns the canonical spelling of a path.
  static func placeText(_ path: String) -> String {
    isSetting(path) ? path : SessionPath(path).text
  }

  /// Returns a `[[map]]`, read like one in a file.
  ///
  /// - Parameter path: the path of a parameter, or a setting that names another target.
  static func mapping(
    of path: String, _ settings: [String]
  ) throws(SessionCommandError) -> MappingConfiguration {
    let target =
      isSetting(path)
      ? try lines(of: [path], for: "[[map]]") : ["parameter = \(tomlText(SessionPath(path).text))"]
    let lines = try target + lines(of: settings, for: "[[map]]")
    do throws(ConfigurationError) {
      return try MappingConfiguration(toml: lines.joined(separator: "\n"), file: "the command")
    } catch { throw SessionCommandError(error.first) }
  }
}

extension MappingConfiguration.Source {
  /// Text of the source as a setting of a command.
  var text: String {
    MappingConfiguration(
      parameter: Located("", at: .command), source: Located(self, at: .command), at: .command
    ).settings[0]
  }
}
