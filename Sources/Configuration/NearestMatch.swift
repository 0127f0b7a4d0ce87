// Search for the name that a user probably meant.

/// Returns the candidate with the fewest edits from `name`; nil if none is near.
///
/// Ignores letter case. Edits are insertions, deletions, substitutions and exchanges of two
/// neighbours (optimal string alignment).
///
/// - Complexity: O(candidates × length²), for names of up to 64 bytes; longer ones match nothing.
/// - Thread: [any]
public func nearestMatch(to name: String, among candidates: [String]) -> String? {
  let maximumLength = 64
  guard name.utf8.count <= maximumLength else { return nil }
  let written = Array(name.lowercased().unicodeScalars)
  var best: (edits: Int, candidate: String)?
  for candidate in candidates where candidate.utf8.count <= maximumLength {
    let wanted = Array(candidate.lowercased().unicodeScalars)
    let edits = editDistance(written, wanted)
    // Up to a third of the letters may be wrong, at least one; more is another word.
    guard edits <= max(1, min(written.count, wanted.count) / 3) else { continue }
    guard edits < wanted.count else { continue }
    if edits < best?.edits ?? .max { best = (edits, candidate) }
  }
  return best?.candidate
}

/// Returns the candidates by their similarity to `name`, `limit` at most. Those of the same client,
/// the part before the colon, are first.
///
/// - Complexity: as `nearestMatch`, for the first 200 candidates.
/// - Thread: [any]
public func nearestPorts(to name: String, among candidates: [String], limit: Int = 4) -> [String] {
  func client(_ port: String) -> Substring { port.prefix { $0 != ":" } }
  let written = Array(name.lowercased().unicodeScalars.prefix(64))
  let ranked = candidates.prefix(200).enumerated().map { index, candidate in
    let edits = editDistance(written, Array(candidate.lowercased().unicodeScalars.prefix(64)))
    return (place: client(candidate) == client(name) ? 0 : 1, edits, index, candidate)
  }
  return ranked.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.prefix(limit).map(\.3)
}

private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        edits = min(edits, beforeLast[j - 1] + 1)
      }
      row.append(edits)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

/// Returns names as text, at most 40 of them. If there are more, those that contain `name` come
/// first.
func listed(_ names: [String], first name: String) -> String {
  let most = 40
  if names.isEmpty { return "none" }
  if names.count <= most { return names.joined(separator: ", ") }
  let wanted = name.lowercased()
  func contains(_ text: String) -> Bool { text.lowercased().contains(wanted) }
  let ordered = names.filter(contains) + names.filter { !contains($0) }
  return ordered.prefix(most).joined(separator: ", ") + " and \(names.count - most) more"
}

extension Sequence {
  /// Returns the element with a name. Upper and lower case are the same, unless names differ by
  /// nothing else.
  ///
  /// - Returns: nil if none has the name, or several that differ in upper and lower case only.
  package func named(_ name: String, by text: (Element) -> String) -> Element? {
    if let exact = first(where: { text($0) == name }) { return exact }
    let wanted = name.lowercased()
    let found = filter { text($0).lowercased() == wanted }
    return found.count == 1 ? found[0] : nil
  }
}
