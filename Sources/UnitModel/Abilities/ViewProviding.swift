// Units with a view of their own.

/// A unit that brings a view of its own. Hosts ask for it by `requestViewController`.
///
/// AUv3: none; there it is a view controller that makes the unit.
public protocol ViewProviding: AudioUnit {
  /// Makes the view. Called each time that somebody opens it, so that a folder's files are the
  /// present ones.
  ///
  /// - Throws: `UnitViewError`, which is shown in place of the view.
  /// - Thread: [control], any one; it may wait for the disk.
  func makeView() throws(UnitViewError) -> UnitView

  /// Whether the view fits into a size. Default: true.
  ///
  /// - Thread: [control]
  func fits(_ configuration: ViewConfiguration) -> Bool
}

extension ViewProviding {
  public func fits(_ configuration: ViewConfiguration) -> Bool { true }
}

extension AudioUnit {
  /// Whether the unit has a view of its own.
  ///
  /// AUv3: `providesUserInterface`.
  /// - Thread: [any]
  public var providesUserInterface: Bool { self is any ViewProviding }

  /// Returns the unit's own view; nil for a unit without one.
  ///
  /// AUv3: `requestViewController(completionHandler:)`.
  /// - Throws: `UnitViewError`
  /// - Thread: [control]
  @concurrent
  public func requestViewController() async throws(UnitViewError) -> UnitView? {
    try (self as? any ViewProviding)?.makeView()
  }

  /// Returns the indices of the offered sizes that the unit's own view fits into.
  ///
  /// AUv3: `supportedViewConfigurations(_:)`.
  /// - Thread: [control]
  public func supportedViewConfigurations(_ available: [ViewConfiguration]) -> [Int] {
    guard let unit = self as? any ViewProviding else { return [] }
    return available.indices.filter { unit.fits(available[$0]) }
  }
}
