// Components and files to choose from.

import UnitModel

/// A component that units can be added of, or a file that a unit can play.
public struct ChoiceReading: Sendable, Hashable, Codable {
  /// The name as `add` takes it: a component's short name, or a file's name.
  public let name: String
  /// The component's display name; nil for a file.
  public var title: String?
  /// Words for searches, such as the component's type; nil for a file.
  public var tags: [String]?

  package init(file name: String) { self.name = name }

  package init(_ component: Component) {
    (name, title, tags) = (component.shortName, component.name, component.tags)
  }
}
