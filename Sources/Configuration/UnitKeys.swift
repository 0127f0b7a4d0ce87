// Keys of a unit's kind.

public import FoundationEssentials

/// A key of `[[unit]]` that belongs to a kind of unit, beyond the keys of all units.
///
/// - Thread: [any]
public struct ConfigurationKey: Sendable, Hashable, ExpressibleByStringLiteral {
  public let name: String
  /// Whether its value is an array of tables, written as sections `[[unit.NAME]]`.
  public let hasSections: Bool

  public init(_ name: String, hasSections: Bool = false) {
    self.name = name
    self.hasSections = hasSections
  }

  public init(stringLiteral name: String) { self.init(name) }
}

/// Keys and values that a configuration sets for the kind of a unit. Their order has no meaning.
///
/// - Thread: [any]
public struct UnitKeys: Sendable {
  struct Entry: Sendable, Equatable {
    let key: ConfigurationKey
    @Uncompared var location: SourcePosition
    var value: ConfigurationValue
  }

  /// The keys in the order in which they are written.
  private(set) var entries: [Entry] = []

  public init() {}

  /// The names of the keys that are set.
  public var names: [String] { entries.map(\.key.name) }

  public var isEmpty: Bool { entries.isEmpty }

  /// The value of a key; nil if it is not set.
  public subscript(_ name: String) -> ConfigurationValue? {
    entries.first { $0.key.name == name }?.value
  }

  /// Returns the position of a key; nil if it is not set.
  public func location(of name: String) -> SourcePosition? {
    entries.first { $0.key.name == name }?.location
  }

  /// Sets a key in place, or appends it; nil removes the key.
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

  /// Sets a key to a value, for `ConfigurableUnit.describe`. Keeps the written form if the value is
  /// equal.
  ///
  /// - Parameter usual: the value of a unit without the key.
  public mutating func describe(
    _ key: ConfigurationKey, as value: ConfigurationValue.Content,
    usual: ConfigurationValue.Content
  ) {
    if self[key.name]?.content ?? usual == value { return }
    set(key, to: ConfigurationValue(value))
  }

  /// Sets a key to a file, for `ConfigurableUnit.describe`. Keeps the written form if it names that
  /// file.
  ///
  /// - Parameter file: the file; nil removes the key.
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

  /// Returns the keys in the order of `keys`, followed by the others.
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

  /// Returns a copy without some keys.
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
