// The views of units, as a session tells them.

public import FoundationEssentials
import UnitModel

/// A unit's own view.
public struct ViewReading: Sendable, Hashable, Codable {
  /// The contents of its files by their names, in JSON as Base64.
  public let files: [String: Data]
  /// The indices of the offered sizes that it fits into.
  public let supported: [Int]

  package init(_ view: UnitView, supported: [Int]) {
    files = view.files.mapValues { Data($0) }
    self.supported = supported
  }

  /// The most sizes that are offered at a time.
  package static let mostConfigurations = 32
}
