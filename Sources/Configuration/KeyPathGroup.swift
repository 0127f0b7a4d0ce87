// Key paths that differ only in a number, written as one.

/// A key path, or several that differ in one number: "channels.1…16".
public struct KeyPathGroup: Sendable {
  public let text: String
  /// The indices of the key paths in the list that was grouped.
  public let members: [Int]

  /// Returns the groups in the order of their first key paths.
  /// - Complexity: O(key paths).
  /// - Thread: [any]
  public static func groups(_ keyPaths: [String]) -> [KeyPathGroup] {
    var order: [String] = []
    var members: [String: [Int]] = [:]
    var numbers: [String: [Int]] = [:]
    for (index, keyPath) in keyPaths.enumerated() {
      var parts = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let place = parts.firstIndex { Int($0) != nil }
      if let place {
        let number = Int(parts[place]) ?? 0
        parts[place] = "#"
        numbers[parts.joined(separator: "."), default: []].append(number)
      }
      let general = parts.joined(separator: ".")
      if members[general] == nil { order.append(general) }
      members[general, default: []].append(index)
    }
    return order.map { general in
      let found = numbers[general] ?? []
      let range = "\(found.min() ?? 0)…\(found.max() ?? 0)"
      return KeyPathGroup(
        text: found.isEmpty ? general : general.replacing("#", with: range),
        members: members[general] ?? [])
    }
  }
}
