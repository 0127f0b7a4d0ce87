// Keys of a unit that belong to its kind.

public import Foundation

/// A key of `[[unit]]` that a kind of unit has beside those of all.
///
/// - Thread: [any]
public struct ConfigurationKey: Sendable, Hashable, ExpressibleByStringLiteral {
  public let name: String
  /// Whether its value is an array of tables that stand as sections, `[[unit.NAME]]`.
  public let hasSections: Bool

  public init(_ name: String, hasSections: Bool = false) {
    self.name = name
    self.hasSections = hasSections
  }

  public init(stringLiteral name: String) { self.init(name) }
}

/// What a configuration says of a unit by the keys of its kind. The order of the keys means
/// nothing.
///
/// - Thread: [any]
public struct UnitKeys: Sendable {
  struct Entry: Sendable, Equatable {
    let key: ConfigurationKey
    @Uncompared var location: SourcePosition
    var value: ConfigurationValue
  }

  /// In the order in which they are written.
  private(set) var entries: [Entry] = []

  public init() {}

  /// The names of the keys that there are.
  public var names: [String] { entries.map(\.key.name) }

  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key, nil for one that there is not.
  public subscript(_ name: String) -> ConfigurationValue? {
    entries.first { $0.key.name == name }?.value
  }

  /// Where a key stands.
  public func location(of name: String) -> SourcePosition? {
    entries.first { $0.key.name == name }?.location
  }

  /// Gives a key a value, in its place or behind the others; nil takes the key away.
  public mutating func set(
    _ key: ConfigurationKey, to value: ConfigurationValue?, at location: SourcePosition = .nowhere
  ) {
    let place = entries.firstIndex { $0.key.name == key.name }
    guard let value else {
      if let place { entries.remove(at: place) }
      return
    }
    let entry = Entry(key: key, location: location, value: value)
    if let place { entries[place] = entry } else { entries.append(entry) }
  }

  /// Has a key say a value, for `ConfigurableUnit.describe`. One that says it already stays as it
  /// is written.
  ///
  /// - Parameter usual: what a unit has without the key.
  public mutating func describe(
    _ key: ConfigurationKey, as value: ConfigurationValue.Content,
    usual: ConfigurationValue.Content
  ) {
    if self[key.name]?.content ?? usual == value { return }
    set(key, to: ConfigurationValue(value))
  }

  /// Has a key name a file, for `ConfigurableUnit.describe`. One that names it already stays as it
  /// is written.
  ///
  /// - Parameter file: nil takes the key away.
  public mutating func describe(
    _ key: ConfigurationKey, asAudioFile file: URL?, _ context: ConfigurationContext
  ) {
    let path = file?.standardizedFileURL.path
    if case .string(let name)? = self[key.name]?.content,
      context.url(ofAudioFile: name).standardizedFileURL.path == path
    {
      return
    }
    set(key, to: path.map { ConfigurationValue(.string($0)) })
  }

  /// The same in the order of `keys`, others behind.
  public func ordered(like keys: [ConfigurationKey]) -> UnitKeys {
    func rank(_ entry: Entry) -> Int {
      keys.firstIndex { $0.name == entry.key.name } ?? keys.count
    }
    var ordered = self
    ordered.entries = entries.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
    return ordered
  }

  /// The same without some keys.
  public func removing(_ names: [String]) -> UnitKeys {
    var keys = self
    keys.entries.removeAll { names.contains($0.key.name) }
    return keys
  }
}

extension UnitKeys: Equatable {
  public static func == (first: UnitKeys, second: UnitKeys) -> Bool {
    func sorted(_ keys: UnitKeys) -> [Entry] { keys.entries.sorted { $0.key.name < $1.key.name } }
    return sorted(first) == sorted(second)
  }
}
