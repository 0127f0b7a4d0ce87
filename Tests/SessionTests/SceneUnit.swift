// A unit of a program that uses all abilities of units besides rendering.

import Configuration
import Synchronization
import UnitModel

/// A unit with a label and scenes, both set by its keys.
final class SceneUnit: AudioUnit, @unchecked Sendable {
  struct Scene: SelectableEntry {
    let number: Int
    let name: String
    let parameters: [String: Float]
  }

  private struct State {
    var label = ""
    /// Number of label changes since the unit was made.
    var labelCount = 0
    /// Labels that fail when they are set.
    var refused: Set<String> = ["Broken"]
    /// Functions called before a label is set.
    var before: [String: @Sendable () -> Void] = [:]
    var scenes: [Scene] = []
    var current = 0
    var news: [UnitNotice] = []
  }

  static let component = Component(
    description: ComponentDescription(type: .generator, subtype: "scen", manufacturer: "Test"),
    name: "Scenes", shortName: "scenes", unitType: SceneUnit.self
  ) { description, _ in
    SceneUnit(
      componentDescription: description,
      parameterTree: try ParameterTree(children: [
        Parameter(identifier: "level", name: "Level", address: 0, range: 0...9),
        Parameter(identifier: "size", name: "Size", address: 1, range: 0...9),
      ]))
  }

  private let state = Mutex(State())

  var label: String { state.withLock { $0.label } }
  var labelCount: Int { state.withLock { $0.labelCount } }

  func refuse(_ label: String) { state.withLock { _ = $0.refused.insert(label) } }

  /// Registers a function to be called each time before the label is set.
  func before(_ label: String, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.before[label] = body }
  }

  private func setLabel(_ label: String) throws(StateError) {
    state.withLock { $0.before[label] }?()
    let isRefused = state.withLock { state in
      if state.refused.contains(label) { return true }
      (state.label, state.labelCount) = (label, state.labelCount + 1)
      return false
    }
    if isRefused { throw .invalidSetting("label", reason: "label '\(label)' cannot be borne") }
  }

  override var factoryPresets: [Preset] {
    entries.map { Preset(number: $0.number, name: $0.name) }
  }

  override func apply(factoryPreset preset: Preset) throws(StateError) { select(preset.number) }

  override func settings(forDocument: Bool) -> StateDictionary {
    state.withLock { ["scene": .integer($0.current), "label": .string($0.label)] }
  }

  override func checkSettings(_ settings: StateDictionary) throws(StateError) {}

  override func applySettings(_ settings: StateDictionary) throws(StateError) {
    if let number = Self.entryNumber(in: settings) { select(number) }
    if case .string(let label)? = settings["label"], label != self.label { try setLabel(label) }
  }

  private func select(_ number: Int) {
    guard let scene = entries.first(where: { $0.number == number }) else { return }
    state.withLock {
      $0.current = number
      $0.news.append(UnitNotice(.done, "scene \(scene.name)"))
    }
    for (keyPath, value) in scene.parameters {
      parameterTree.parameter(keyPath: keyPath)?.value = value
    }
    presetDidChange(to: Preset(number: number, name: scene.name))
  }
}

extension SceneUnit: ChangeableUnit {
  static let configurationKeys: [ConfigurationKey] = [
    "label", ConfigurationKey("scene", hasSections: true),
  ]

  static func problems(in keys: UnitKeys) -> [ConfigurationProblem] {
    var problems = ProblemCollector()
    _ = scenes(keys, &problems)
    return problems.problems
  }

  private static func scenes(
    _ keys: UnitKeys, _ problems: inout ProblemCollector
  ) -> [ConfiguredEntry] {
    let tables = keys["scene"].flatMap { value in
      problems.attempt { () throws(ConfigurationProblem) in
        try value.array("scene", of: "scenes")
      }
    }
    return zip(0..., tables ?? []).map { number, table in
      let members = problems.attempt { () throws(ConfigurationProblem) in
        try table.table("scene", as: "[[unit.scene]]")
      }
      func member(_ key: String) -> ConfigurationValue? {
        members?.first { $0.key.value == key }?.value
      }
      let name = member("name").flatMap { value in
        problems.attempt { () throws(ConfigurationProblem) in try value.name("name").value }
      }
      return ConfiguredEntry(
        number: number, name: name ?? "",
        parameters: member("parameters").map { problems.parameters($0) } ?? [])
    }
  }

  static func entries(of keys: UnitKeys) -> [ConfiguredEntry] {
    var problems = ProblemCollector()
    return scenes(keys, &problems)
  }

  func configure(
    _ configuration: UnitConfiguration, _ context: ConfigurationContext
  ) throws(ConfigurationProblem) {
    let reader = SettingReader(unit: self, id: configuration.id.value)
    var scenes: [Scene] = []
    for entry in Self.entries(of: configuration.keys) {
      var values: [String: Float] = [:]
      for setting in entry.parameters {
        let (parameter, value) = try reader.read(setting)
        values[parameter.keyPath] = value
      }
      scenes.append(Scene(number: entry.number, name: entry.name, parameters: values))
    }
    let label = try configuration.keys["label"]?.string("label").value ?? ""
    state.withLock { ($0.label, $0.scenes) = (label, scenes) }
    select(0)
  }

  func describe(_ keys: inout UnitKeys, _ context: ConfigurationContext) -> Bool {
    keys.set("label", to: ConfigurationValue(.string(label)))
    return true
  }

  static func changeableKeys(_ keys: UnitKeys) -> [String] { ["label"] }

  func change(
    from former: (keys: UnitKeys, context: ConfigurationContext),
    to new: (keys: UnitKeys, context: ConfigurationContext)
  ) throws(ConfigurationProblem) -> (@Sendable () async throws -> Void)? {
    let label = try new.keys["label"]?.string("label").value ?? ""
    if label == self.label { return nil }
    return { try self.setLabel(label) }
  }
}

extension SceneUnit: EntrySelecting {
  var entries: [Scene] { state.withLock { $0.scenes } }

  var currentEntry: Scene? {
    state.withLock { state in state.scenes.first { $0.number == state.current } }
  }

  func selectEntry(_ number: Int, at time: EventTime) throws { select(number) }

  static func entryNumber(in settings: StateDictionary) -> Int? {
    if case .integer(let number)? = settings["scene"] { number } else { nil }
  }
}

extension SceneUnit: ReportingUnit {
  var counts: [UnitCount] { [UnitCount("scenes that were missed", 2)] }

  func takeNews() -> [UnitNotice] {
    state.withLock { state in
      defer { state.news = [] }
      return state.news
    }
  }

  var warnings: [String] { ["a scene is dark"] }
}
