// Lists to choose from.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Returns the components of the session, or the files that units of one can play.
  func choices(of component: String?) throws(SessionCommandError) -> Outcome {
    guard let origin = store?.origin else {
      throw Self.isFixed
    }
    let components = origin.registry.components
    guard let component else { return .done(.choices(components.map { ChoiceReading($0) })) }
    let players = components.filter { $0.unitType is any FilePlayingUnit.Type }
    guard
      let type = players.first(where: { $0.isNamed(component) })?.unitType
        as? any FilePlayingUnit.Type
    else {
      throw .unknown(
        "component", component, in: "the components that list files",
        accepted: players.map(\.shortName))
    }
    let context = ConfigurationContext(file: origin.file, environment: origin.environment)
    return later("files of \(component)", .none) {
      .choices(type.fileNames(context).map { ChoiceReading(file: $0) })
    }
  }
}
