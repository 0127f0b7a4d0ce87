// The components that a host can make units of.

import Synchronization

/// Finds components and makes units of them.
///
/// `BuiltInUnits` adds `shared`, the registry of the process with the built-in components.
///
/// AUv3: `AVAudioUnitComponentManager`, and `AUAudioUnit.registerSubclass`.
public final class ComponentRegistry: Sendable {
  private let registered = Mutex<[Component]>([])

  /// Makes an empty registry.
  ///
  /// - Thread: [control]
  public init() {}

  /// Adds a component.
  ///
  /// - Throws: `RegistrationError` if its codes are incomplete, its short name is invalid, or one
  ///   of both is taken.
  ///
  /// AUv3: `AUAudioUnit.registerSubclass(_:as:name:version:)`.
  /// - Thread: [control]
  public func register(_ component: Component) throws(RegistrationError) {
    let description = component.description
    let codes = [description.type, description.subtype, description.manufacturer]
    guard codes.allSatisfy({ $0 != .any && $0.isValid }) else {
      throw .incompleteDescription(description.codes)
    }
    guard component.shortName.wholeMatch(of: /[a-z][a-z0-9_-]*/) != nil else {
      throw .invalidShortName(component.shortName)
    }
    try registered.withLock { (components) throws(RegistrationError) in
      for other in components {
        if other.description.namesSameComponent(as: description) {
          throw .taken(description.codes, by: other.name)
        }
        if other.shortName == component.shortName {
          throw .taken(component.shortName, by: other.name)
        }
      }
      components.append(component)
    }
  }

  /// Every component, in order of registration.
  ///
  /// - Thread: [control]
  public var components: [Component] { registered.withLock { $0 } }

  /// Returns the components that match a pattern. Unsearchable ones are found by their full codes,
  /// or if the pattern's mask includes that flag.
  ///
  /// AUv3: `components(matching:)`.
  /// - Thread: [control]
  public func components(matching pattern: ComponentDescription) -> [Component] {
    components.filter {
      pattern.matches($0.description)
        && (!$0.description.flags.contains(.unsearchable)
          || pattern.flagsMask.contains(.unsearchable)
          || pattern.namesSameComponent(as: $0.description))
    }
  }

  /// Returns the components accepted by a test.
  ///
  /// AUv3: `components(passingTest:)`.
  /// - Thread: [control]
  public func components(where accepts: (Component) -> Bool) -> [Component] {
    components.filter(accepts)
  }

  /// Returns the only component with a short name (`sampler`) or codes (`aumu/smpl/Aurc`, with `*`
  /// for any).
  ///
  /// - Throws: `unknownComponent`, or `ambiguous` if several match.
  /// - Thread: [control]
  public func component(named text: String) throws(InstantiationError) -> Component {
    if let component = components.first(where: { $0.shortName == text }) { return component }
    guard let pattern = ComponentDescription(codes: text) else { throw unknown(text) }
    return try component(matching: pattern)
  }

  /// Returns the only component that matches a pattern.
  ///
  /// - Throws: `unknownComponent`, or `ambiguous` if several match.
  /// - Thread: [control]
  public func component(
    matching pattern: ComponentDescription
  ) throws(InstantiationError) -> Component {
    let found = components(matching: pattern)
    guard let component = found.first else { throw unknown(pattern.codes) }
    guard found.count == 1 else {
      throw .ambiguous(pattern.codes, matches: found.map(Self.label))
    }
    return component
  }

  private func unknown(_ text: String) -> InstantiationError {
    .unknownComponent(text, available: components.map(Self.label))
  }

  private static func label(_ component: Component) -> String {
    "\(component.shortName) (\(component.description.codes))"
  }
}
