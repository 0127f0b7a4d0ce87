// A flag shared by the threads of a test.

import Synchronization

/// A Bool that is set once, from false to true.
public final class Flag: Sendable {
  private let value = Atomic(false)

  public init() {}

  public var isSet: Bool { value.load(ordering: .acquiring) }

  public func set() { value.store(true, ordering: .releasing) }
}
