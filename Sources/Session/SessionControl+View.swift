// Views of units.

import Configuration
import SessionModel
import UnitModel

extension SessionControl {
  /// Returns a unit's own view.
  func view(
    of id: String, _ available: [ViewConfiguration]
  ) throws(SessionCommandError) -> Outcome {
    let most = ViewReading.mostConfigurations
    guard available.count <= most else {
      throw SessionCommandError("\(available.count) sizes of a view", accepted: "up to \(most)")
    }
    let unit = try unit(id)
    guard unit.providesUserInterface else {
      let others = units.filter(\.unit.providesUserInterface).map(\.id)
      throw SessionCommandError(
        "\(quoted(id)) has no view of its own",
        accepted: others.isEmpty ? ["units of programs that bring a view"] : others)
    }
    return later("view of \(id)", .none) {
      guard let view = try await unit.requestViewController() else {
        throw SessionCommandError("\(quoted(id)) has no view of its own")
      }
      return .view(ViewReading(view, supported: unit.supportedViewConfigurations(available)))
    }
  }
}
