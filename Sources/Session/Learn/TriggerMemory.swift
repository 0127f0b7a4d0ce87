// What program changes and presses move, as it was before.

import Configuration
import UnitModel

/// The values that triggers may move, as they were seen last.
///
/// A trigger moves them on the render thread, which tells it afterwards: what they were before is
/// what was seen up to 50 ms earlier, or when a command last changed something.
struct TriggerMemory {
  private struct Slot {
    let path: SessionPath
    let parameter: Parameter
  }

  private var slots: [Slot] = []
  private var seen: [SessionPath: Float] = [:]

  /// - Parameters:
  ///   - configuration: says what is set off.
  ///   - former: what was seen before the session became that.
  init(
    _ configuration: SessionConfiguration, _ units: [(id: String, unit: AudioUnit)],
    following former: TriggerMemory? = nil
  ) {
    var known: Set<SessionPath> = []
    func add(_ parameter: Parameter, of id: String) {
      let path = SessionPath(unit: id, keyPath: parameter.keyPath)
      if known.insert(path).inserted { slots.append(Slot(path: path, parameter: parameter)) }
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
    seen = current.merging(former?.seen ?? [:]) { $1 }
  }

  /// The values as they are now.
  var current: [SessionPath: Float] {
    Dictionary(uniqueKeysWithValues: slots.map { ($0.path, $0.parameter.value) })
  }

  mutating func see(_ values: [SessionPath: Float]) { seen.merge(values) { $1 } }

  /// What a parameter was before the last trigger.
  func value(of path: SessionPath) -> Float? { seen[path] }
}
