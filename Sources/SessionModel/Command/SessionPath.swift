// The names of parameters in a session of several units.

import UnitModel

/// A unit's id and a key path in it: `piano/midi/transpose/semitones`.
package struct SessionPath: Hashable {
  package let unit: String
  /// The key path; nil for the unit as a whole.
  package let keyPath: String?

  package init(unit: String, keyPath: String?) {
    self.unit = unit
    self.keyPath = keyPath
  }

  /// Reads a path; slashes and dots are equivalent after the unit's id.
  package init(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    unit = String(parts[0])
    let rest = parts.count > 1 ? parts[1].replacing("/", with: ".") : ""
    keyPath = rest.isEmpty ? nil : String(rest)
  }

  package var text: String {
    guard let keyPath else { return unit }
    return unit + "/" + keyPath.replacing(".", with: "/")
  }
}

extension ParameterNode {
  /// The parameters at or below this node.
  package var parameters: [Parameter] {
    (self as? ParameterGroup)?.allParameters ?? [self].compactMap { $0 as? Parameter }
  }
}
