// What a shell completes, asked of the session that runs.

import ControlSocket
import Remotes
import SessionModel
import UnitModel

/// The paths of all parameters, and the units.
/// - Parameter words: those of the command line, which may name the session.
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

/// The parameters that controllers move.
@Sendable func completedMappings(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    guard case .mappings(let mappings) = try ask(session, .mappings) else { return [] }
    return Array(Set(mappings.map(\.path)))
  }
}

/// The scenes' names.
@Sendable func completedScenes(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { session in
    guard case .scenes(let scenes) = try ask(session, .scene(.list)) else { return [] }
    return scenes.map(\.name)
  }
}

/// The units' ids.
@Sendable func completedUnits(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  completed(words) { try units(of: $0) }
}

/// The short names of all units that there are.
@Sendable func completedComponents(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  ((try? HostComponents.makeRegistry())?.components ?? []).map(\.shortName)
}

/// The effects' short names.
@Sendable func completedEffects(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
  let types: [FourCharacterCode] = [.effect, .musicEffect]
  let components = (try? HostComponents.makeRegistry())?.components ?? []
  return components.filter { types.contains($0.description.type) }.map(\.shortName)
}

/// Nothing where no session is there, or several that could be meant.
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
