// Sizes of views.

/// A size that a host offers to a view.
///
/// AUv3: `AUAudioUnitViewConfiguration`.
public struct ViewConfiguration: Sendable, Hashable, Codable {
  /// In pixels of the page.
  public let width: Double
  public let height: Double
  /// Whether the host shows controls of the parameters beside the view.
  public let hostHasController: Bool

  public init(width: Double, height: Double, hostHasController: Bool) {
    (self.width, self.height, self.hostHasController) = (width, height, hostHasController)
  }
}
