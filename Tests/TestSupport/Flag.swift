// What one thread of a test tells the others.

import Synchronization

/// Is set once.
public final class Flag: Sendable {
  private let value = Atomic(false)

  public init() {}

  public var isSet: Bool { value.load(ordering: .acquiring) }

  public func set() { value.store(true, ordering: .releasing) }
}
