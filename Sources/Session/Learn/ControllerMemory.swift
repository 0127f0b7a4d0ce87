// Former values of parameters that controllers move.

import Configuration
import SessionModel
import UnitModel

/// Last seen values of the parameters that controllers and triggers can move.
///
/// The render thread moves them and reports it afterwards. Their former values are those seen up to
/// 50 ms earlier, or when a command last changed something.
struct ControllerMemory {
  private var parameters: [Parameter] = []
  private var places: [SessionPath: Int] = [:]
  private var seen: [Float] = []

  /// - Parameters:
  ///   - configuration: has the targets of controllers and triggers.
  ///   - former: the memory before the session had this configuration.
  init(
    _ configuration: SessionConfiguration, _ units: [(id: String, unit: AudioUnit)],
    following former: ControllerMemory? = nil
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
      case .panic: break
      case .parameter(let path):
        let place = SessionPath(path)
        let tree = units.first { $0.id == place.unit }?.unit.parameterTree
        let parameter = place.keyPath.flatMap { tree?.parameter(keyPath: $0) }
        if let parameter { add(parameter, of: place.unit) }
      case .scene(let name):
        let scene = configuration.scenes.named(name, by: \.name.value)
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

  /// Current values of the parameters.
  var current: [Float] { parameters.map(\.value) }

  /// - Parameter values: the values of an earlier `current`.
  mutating func see(_ values: [Float]) { seen = values }

  /// Notes the value to which a controller or a trigger has moved a parameter.
  mutating func note(_ value: Float, of path: SessionPath) {
    if let place = places[path] { seen[place] = value }
  }

  /// Returns the value of a parameter before it was moved; nil if nothing moves it.
  func value(of path: SessionPath) -> Float? { places[path].map { seen[$0] } }
}
