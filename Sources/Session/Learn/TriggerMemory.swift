// What program changes and presses move, as it was before.

import Configuration
import UnitModel

/// The values that triggers may move, as they were seen last.
///
/// A trigger moves them on the render thread, which tells it afterwards: what they were before is
/// what was seen up to 50 ms earlier, or when a command last changed something.
struct TriggerMemory {
  private var parameters: [Parameter] = []
  private var places: [SessionPath: Int] = [:]
  private var seen: [Float] = []

  /// - Parameters:
  ///   - configuration: says what is set off.
  ///   - former: what was seen before the session became that.
  init(
    _ configuration: SessionConfiguration, _ units: [(id: String, unit: AudioUnit)],
    following former: TriggerMemory? = nil
  ) {
    func add(_ parameter: Parameter, of id: String) {
      let path = SessionPath(unit: id, keyPath: parameter.keyPath)
      guard places[path] == nil else { return }
      places[path] = parameters.count
      parameters.append(parameter)
      seen.append(former?.value(of: path) ?? parameter.value)
    }
    for target in Set(configuration.mappings.map(\.target.value)) {
      switch target {
      case .parameter, .panic: break
      case .scene(let name):
        let scene = configuration.scenes.first { $0.name.value == name }
        let targets = scene.flatMap { try? SceneTargets($0, among: units) }
        for value in targets?.values ?? [] { add(value.parameter, of: value.id) }
      case .preset(let id, _):
        let tree = units.first { $0.id == id }?.unit.parameterTree
        for parameter in tree?.allParameters ?? [] where parameter.isMovable {
          add(parameter, of: id)
        }
      }
    }
  }

  /// The values as they are now.
  var current: [Float] { parameters.map(\.value) }

  /// - Parameter values: those that were `current`.
  mutating func see(_ values: [Float]) { seen = values }

  /// Notes what a trigger has moved a parameter to.
  mutating func note(_ value: Float, of path: SessionPath) {
    if let place = places[path] { seen[place] = value }
  }

  /// What a parameter was before the last trigger.
  func value(of path: SessionPath) -> Float? { places[path].map { seen[$0] } }
}
